package io.openmessaging.benchmark.broker.testkit;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * A separate process that starts a local broker and stays until it is killed.
 *
 * @param nodes the broker's processes
 * @param addresses addresses at which the broker serves clients
 */
public record Starter(Process process, List<ProcessHandle> nodes, List<String> addresses) {

    private static final String NO_HEAP = "-";

    /**
     * Starts a process that starts a broker, and waits until the broker runs. Its error output goes to that of this
     * process.
     *
     * @param options the broker's options, without settings
     */
    public static Starter start(LocalBroker broker, LocalBrokerOptions options) throws IOException {
        Process process = new ProcessBuilder(
                        ProgramPath.ofThisJava("java"),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starter.class.getName(),
                        broker.getClass().getName(),
                        Integer.toString(options.nodes()),
                        options.jvm().heap() == null ? NO_HEAP : options.jvm().heap(),
                        options.place().home().toString(),
                        options.place().folder().toString(),
                        options.place().lifetime().name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = process.inputReader().readLine();
        if (line == null) {
            throw new IOException(
                    "The starter of " + broker.name() + " has ended instead of reporting what it started");
        }
        String[] words = line.split(";", 2);
        return new Starter(
                process,
                Arrays.stream(words[0].split(" "))
                        .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                        .toList(),
                List.of(words[1].split(" ")));
    }

    /**
     * Runs the starter. Arguments: the class of the broker, nodes, heap, the home folder, the broker's folder, its
     * lifetime.
     */
    public static void main(String[] arguments) throws Exception {
        LocalBroker broker =
                (LocalBroker) Class.forName(arguments[0]).getConstructor().newInstance();
        Location place = new Location(Path.of(arguments[3]), Path.of(arguments[4]), 0, Lifetime.valueOf(arguments[5]));
        String heap = arguments[2].equals(NO_HEAP) ? null : arguments[2];
        RunningBroker running = broker.start(
                new LocalBrokerOptions(Integer.parseInt(arguments[1]), heap, Map.of(), place, System.err::println));
        String pids =
                running.nodes().stream().map(node -> Long.toString(node.pid())).collect(Collectors.joining(" "));
        System.out.println(pids + ";" + String.join(" ", running.addresses()));
        new CountDownLatch(1).await();
    }

    /** Kills the starter, which has no chance to clean up, and returns when it has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
