package io.lakexpress.connect.lake.file;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Fails calls of a port on demand, and dies at a chosen step as a process does. */
public final class Faults {
  /** The process died: nothing runs any more, no cleaning up either. */
  public static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash(String step) {
      super("died at " + step);
    }
  }

  /** Whether a failing call has done its work before it fails. */
  public enum Work {
    NOT_DONE,
    DONE
  }

  private record Failure(RuntimeException exception, Work work) {}

  private static final Set<String> NOT_STEPS =
      Set.of("toString", "hashCode", "equals", "position", "bufferedBytes", "parts", "location");

  private final Map<String, Deque<Failure>> failures = new HashMap<>();
  private final Map<String, RuntimeException> down = new HashMap<>();
  private final List<String> steps = new ArrayList<>();
  private int crashAtStep = Integer.MAX_VALUE;
  private boolean dead;
  private Predicate<Class<?>> counts = port -> true;

  /** Only calls of these ports are steps at which the process may die. */
  public void countOnly(Class<?>... ports) {
    counts = Set.of(ports)::contains;
  }

  /** The process dies at the n-th step from now, counted from 0. */
  public void crashAt(int step) {
    steps.clear();
    dead = false;
    crashAtStep = step;
  }

  /** The next process runs. */
  public void revive() {
    crashAt(Integer.MAX_VALUE);
  }

  public boolean hasCrashed() {
    return dead;
  }

  public List<String> steps() {
    return List.copyOf(steps);
  }

  /** The next call of this method fails. */
  public void failNext(String method, RuntimeException exception, Work work) {
    failures.computeIfAbsent(method, name -> new ArrayDeque<>()).add(new Failure(exception, work));
  }

  /** All calls of a port fail until it is up again. */
  public void takeDown(Class<?> port, RuntimeException exception) {
    down.put(port.getSimpleName(), exception);
  }

  public void bringUp(Class<?> port) {
    down.remove(port.getSimpleName());
  }

  /** The port as it is, with faults. */
  public <T> T around(Class<T> port, T target) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> call(port, target, method, arguments)));
  }

  private Object call(Class<?> port, Object target, Method method, Object[] arguments)
      throws Throwable {
    if (NOT_STEPS.contains(method.getName())) {
      return invoke(target, method, arguments);
    }
    step(port, "before " + method.getName());
    // Giving up a staged file never fails, whatever the store does.
    boolean givesUp = port == StagedFile.class && method.getName().equals("discard");
    if (down.containsKey(port.getSimpleName()) && !givesUp) {
      throw down.get(port.getSimpleName());
    }
    Deque<Failure> planned = failures.get(method.getName());
    Failure failure = planned == null ? null : planned.poll();
    if (failure != null && failure.work() == Work.NOT_DONE) {
      throw failure.exception();
    }
    Object result = invoke(target, method, arguments);
    step(port, "after " + method.getName());
    if (failure != null) {
      throw failure.exception();
    }
    return result instanceof StagedFile file ? around(StagedFile.class, file) : result;
  }

  private void step(Class<?> port, String name) {
    boolean isStep = counts.test(port);
    if (isStep && !dead && steps.size() == crashAtStep) {
      dead = true;
    }
    if (dead) {
      throw new Crash(name);
    }
    if (isStep) {
      steps.add(name);
    }
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }
}
