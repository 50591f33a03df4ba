package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A broker's program as it is on this machine.
 *
 * @param product what it is, for messages
 * @param file the program, with its path
 * @param environment variables that it needs in addition to those of this process
 */
public record NativeProgram(String product, Path file, Map<String, String> environment) {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Runs it to its end and returns what it prints: above all the version, which also shows whether the program finds
     * its libraries.
     *
     * @throws LocalBrokerException if it cannot be run, fails, or takes longer than 30 s; with its own words
     */
    public String print(String... arguments) throws LocalBrokerException, InterruptedException {
        String name = file.toString();
        try {
            return String.join("\n", new Tool(name, List.of(name), environment, Path.of("/"), LIMIT).run(arguments));
        } catch (IOException | LocalBrokerException e) {
            throw new LocalBrokerException(product + " does not run on this machine: " + e.getMessage(), e);
        }
    }
}
