package io.lakexpress.connect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Asks several services at the same time and waits for all of them together no longer than its
 * patience, whatever they do: validation has to answer a person. Each question has a thread of its
 * own that ends with the question; one that is given up is interrupted, and what it still notes is
 * lost. Used by one thread.
 */
public final class SideBySide {
  private final KeyProblems problems;
  private final LongSupplier nanoClock;
  private final Duration patience;
  private final long start;

  public SideBySide(KeyProblems problems, Duration patience, LongSupplier nanoClock) {
    this.problems = problems;
    this.patience = patience;
    this.nanoClock = nanoClock;
    this.start = nanoClock.getAsLong();
  }

  /** What is asked, on a thread of its own. */
  public interface Question<T> {
    /** Notes what is wrong; problems noted before it is given up count. */
    T ask(KeyProblems problems);
  }

  /**
   * Begins to ask.
   *
   * @param service what is asked, for the thread's name and the message if it does not answer
   * @param key blamed if it does not answer in time
   */
  public <T> Answer<T> ask(String service, String key, Question<T> question) {
    Noted noted = new Noted();
    FutureTask<T> task = new FutureTask<>(() -> question.ask(noted));
    Thread thread = new Thread(task, "lakexpress-validation-of-" + service.replace(' ', '-'));
    thread.setDaemon(true);
    thread.start();
    return new Answer<>(service, key, task, noted);
  }

  /** Whether another question is worth asking. */
  public boolean hasTime() {
    return nanosLeft() > 0;
  }

  private long nanosLeft() {
    return patience.toNanos() - (nanoClock.getAsLong() - start);
  }

  /** An answer that is on its way. */
  public final class Answer<T> {
    private final String service;
    private final String key;
    private final FutureTask<T> task;
    private final Noted noted;

    private Answer(String service, String key, FutureTask<T> task, Noted noted) {
      this.service = service;
      this.key = key;
      this.task = task;
      this.noted = noted;
    }

    /** Waits and hands the problems on; empty if no answer came in time. */
    public Optional<T> await() {
      Optional<T> answer = Optional.empty();
      String reason = null;
      try {
        answer = Optional.of(task.get(Math.max(0, nanosLeft()), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        reason = "no answer within " + patience.toSeconds() + " seconds";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        reason = "validation was stopped";
      } catch (ExecutionException e) {
        throw new ConnectException(
            "Cannot check the " + service + ": " + e.getCause().getMessage(), e.getCause());
      }
      List<Problem> found = noted.close();
      task.cancel(true);
      found.forEach(problem -> problems.refuse(problem.key(), problem.message()));
      if (reason != null) {
        problems.refuse(key, "Cannot check the " + service + " to the end: " + reason);
      }
      return answer;
    }
  }

  private record Problem(String key, String message) {}

  /** What one question noted until it ended or was given up. */
  private static final class Noted implements KeyProblems {
    private final List<Problem> all = new ArrayList<>();
    private boolean isClosed;

    @Override
    public synchronized void refuse(String key, String message) {
      if (!isClosed) {
        all.add(new Problem(key, message));
      }
    }

    private synchronized List<Problem> close() {
      isClosed = true;
      return List.copyOf(all);
    }
  }
}
