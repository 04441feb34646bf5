package io.lakexpress.standalone;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Exit;

/**
 * The wish to end this process: Ctrl-C, a TERM, a closed terminal, or Kafka Connect giving up. It
 * only wakes the main thread, which then stops the parts in their order; a second signal ends the
 * process at once.
 *
 * <p>A shutdown hook would not do: hooks run side by side, Connect brings one of its own, and a
 * broker that ends before its worker makes the next start wait.
 */
public final class StopSignal {
  private static final int EXIT_CODE_OF_INTERRUPT = 130;

  private final CountDownLatch wish = new CountDownLatch(1);
  private final AtomicReference<String> failure = new AtomicReference<>("");

  private StopSignal() {}

  /** From now on this process ends through {@link #await} alone. */
  public static StopSignal install() {
    StopSignal stop = new StopSignal();
    for (String name : new String[] {"INT", "TERM", "HUP"}) {
      stop.handle(name);
    }
    Exit.setExitProcedure(
        (status, message) -> {
          if (status != 0) {
            stop.failure.set("Kafka Connect gave up; the log says why");
          }
          stop.wish.countDown();
        });
    return stop;
  }

  /** Returns when the process is to end; throws if that is because a part has failed. */
  public void await() {
    try {
      wish.await();
    } catch (InterruptedException e) {
      throw Pause.interrupted(e);
    }
    if (!failure.get().isEmpty()) {
      throw new StackException(failure.get());
    }
  }

  private void received() {
    if (wish.getCount() == 0) {
      Runtime.getRuntime().halt(EXIT_CODE_OF_INTERRUPT);
    }
    wish.countDown();
  }

  /**
   * By reflection: javac warns about every mention of sun.misc.Signal, in a way that cannot be
   * suppressed, though it is the only way to a signal and stays supported.
   */
  private void handle(String name) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              handlerType.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                received();
                return null;
              });
      Object signal = signalType.getConstructor(String.class).newInstance(name);
      signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
    } catch (ReflectiveOperationException e) {
      throw new StackException("Cannot listen for the signal " + name, e);
    }
  }
}
