package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** Runs {@code bin/broker} in this process and keeps the output of the last call. */
final class BrokerCalls {

    private final Path home;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    BrokerCalls(Path home) {
        this.home = home;
    }

    /**
     * Runs a command and returns its exit code.
     *
     * @param grace time within which a node has to end
     * @param arguments separated by blanks
     */
    int run(LocalBroker broker, Duration grace, String arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine command = BrokerCommand.commandLine(home, List.of(broker), grace);
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }

    String output() {
        return out.toString();
    }

    String errors() {
        return err.toString();
    }

    Path runFolder() {
        return home.resolve(".brokers/run/test");
    }
}
