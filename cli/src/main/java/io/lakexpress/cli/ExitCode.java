package io.lakexpress.cli;

import io.lakexpress.standalone.ConnectUnreachableException;
import io.lakexpress.standalone.WrongSettingException;
import picocli.CommandLine;

/** What the program's exit code tells a script; wrong usage is picocli's own 2. */
final class ExitCode {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;
  static final int UNREACHABLE = 3;

  private ExitCode() {}

  /** Prints a failure as one line and chooses its code. */
  static int report(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parseResult) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    commandLine.getErr().println(message);
    return of(failure);
  }

  private static int of(Exception failure) {
    if (failure instanceof WrongSettingException) {
      return WRONG_USAGE;
    }
    return failure instanceof ConnectUnreachableException ? UNREACHABLE : FAILED;
  }
}
