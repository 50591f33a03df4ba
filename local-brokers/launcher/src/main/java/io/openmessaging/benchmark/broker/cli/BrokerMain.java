package io.openmessaging.benchmark.broker.cli;

import io.openmessaging.benchmark.broker.LocalBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/** The program behind {@code bin/broker}, which tells the home folder in the system property {@code benchmark.home}. */
public final class BrokerMain {

    private BrokerMain() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        Path home = Path.of(System.getProperty("benchmark.home", "."));
        List<LocalBroker> brokers = ServiceLoader.load(LocalBroker.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        System.exit(BrokerCommand.commandLine(home, brokers, StopCommand.USUAL_GRACE)
                .execute(arguments));
    }
}
