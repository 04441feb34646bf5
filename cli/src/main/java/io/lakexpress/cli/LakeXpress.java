package io.lakexpress.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program behind {@code ./LakeXpress}: hands over to the command that was asked for. */
@Command(
    name = "./LakeXpress",
    description = "Incremental sync of operational databases into a Parquet lake.",
    mixinStandardHelpOptions = true,
    versionProvider = ProductVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {DemoCommand.class, UpCommand.class})
final class LakeXpress {
  private LakeXpress() {}

  public static void main(String[] arguments) {
    // Threads of a part that failed to start must not keep the process alive.
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new LakeXpress())
        .setExecutionExceptionHandler(ExitCode::report)
        .setUsageHelpAutoWidth(true);
  }
}
