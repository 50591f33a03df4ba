package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command about the one broker of a name. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields
abstract class NamedBrokerCommand implements Callable<Integer> {

    /** The project's home folder. */
    final Path home;

    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Which broker, such as kafka.")
    LocalBroker broker;

    NamedBrokerCommand(Path home) {
        this.home = home;
    }

    final RunFolder folder() {
        return new RunFolder(home, broker.name());
    }

    /** What an earlier call has started. */
    final RecordedBroker recorded() throws IOException, LocalBrokerException {
        return folder().load().orElseThrow(() -> new LocalBrokerException(broker.name() + " does not run"));
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
