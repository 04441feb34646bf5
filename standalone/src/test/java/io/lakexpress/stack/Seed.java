package io.lakexpress.stack;

import java.util.Random;

/**
 * Where a randomised test takes its numbers from: a seed that is printed, or the one of {@code
 * -Dlakexpress.seed}.
 */
final class Seed {
  private final long value;

  private Seed(long value) {
    this.value = value;
  }

  static Seed of(String test) {
    Seed seed = new Seed(Long.getLong("lakexpress.seed", System.nanoTime() & 0xffff_ffffL));
    System.out.println(test + " runs with -Dlakexpress.seed=" + seed.value);
    return seed;
  }

  /** The numbers of one of the test's threads. */
  Random random(int thread) {
    return new Random(value * 31 + thread);
  }

  @Override
  public String toString() {
    return "seed " + value;
  }
}
