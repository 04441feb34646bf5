package io.lakexpress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.standalone.StackException;
import io.lakexpress.standalone.WrongSettingException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class LakeXpressTest {
  private final StringWriter printed = new StringWriter();
  private final StringWriter complained = new StringWriter();

  @Test
  void theVersionIsTheOneThatWasBuilt() {
    assertThat(run("--version")).isZero();
    assertThat(printed.toString()).matches("LakeXpress Connect \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
  }

  @Test
  void theHelpNamesTheCommands() {
    assertThat(run("--help")).isZero();
    assertThat(printed.toString()).contains("Usage: ./LakeXpress").contains("up  ");
  }

  @Test
  void anUnknownCommandIsWrongUsage() {
    assertThat(run("sing")).isEqualTo(2);
    assertThat(complained.toString()).contains("sing");
  }

  @Test
  void aPortThatIsNoNumberIsWrongUsage() {
    assertThat(run("up", "--rest-port", "eighty")).isEqualTo(2);
    assertThat(complained.toString()).contains("--rest-port").contains("eighty");
  }

  @Test
  void aWrongSettingIsOneLineAndTellsItselfFromAFailure() {
    assertThat(failing(new WrongSettingException("Cannot listen on port 1: it is in use")))
        .isEqualTo(2);
    assertThat(complained.toString())
        .isEqualTo("Cannot listen on port 1: it is in use" + System.lineSeparator());
    assertThat(failing(new StackException("Cannot start PostgreSQL: no room"))).isEqualTo(1);
  }

  private int run(String... arguments) {
    return run(LakeXpress.commandLine(), arguments);
  }

  private int failing(RuntimeException failure) {
    return run(LakeXpress.commandLine().addSubcommand("fail", new Failing(failure)), "fail");
  }

  private int run(CommandLine commandLine, String... arguments) {
    return commandLine
        .setOut(new PrintWriter(printed, true))
        .setErr(new PrintWriter(complained, true))
        .execute(arguments);
  }

  @Command(name = "fail")
  private record Failing(RuntimeException failure) implements Callable<Integer> {
    @Override
    public Integer call() {
      throw failure;
    }
  }
}
