package io.openmessaging.benchmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.result.BusyMachine;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.DriverJars;
import io.openmessaging.benchmark.worker.fake.BrokeredFakeDriver;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command line on an installation of a test's own: with the fake driver, a current folder, and files to run.
 * Closing restores the system properties that give its location, and the fake local broker.
 */
public final class TestInstallation implements AutoCloseable {

    /** Two hundred messages, as fast as the client accepts them. */
    public static final String WORKLOAD = """
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 1
            producerRate: unlimited
            warmupDuration: 0s
            messageCount: 200
            """;

    /** A run that ends only on request. */
    public static final String ENDLESS = WORKLOAD.replace("producerRate: unlimited", "producerRate: 1000")
            .replace("messageCount: 200", "testDuration: 1h");

    public static final String DRIVER = "name: Fake\ndriverClass: " + FakeDriver.class.getName() + "\n";

    /** A driver file that points to a port of this machine where nothing listens. */
    public static final String BROKERED_DRIVER =
            "name: Brokered\ndriverClass: " + BrokeredFakeDriver.class.getName() + "\naddresses: ['127.0.0.1:1']\n";

    private static final Pattern COUNTS = Pattern.compile("(\\d+) OK, (\\d+) INVALID");

    /** All runs of a plan that failed were expected to. */
    private static final Pattern ALL_AS_EXPECTED = Pattern.compile(" (\\d+) failed \\(\\1 as expected\\)");

    private static final List<String> PROPERTIES = List.of("benchmark.home", "benchmark.distribution");

    /**
     * Result of a command.
     *
     * @param exitCode exit code; also 0 if only a busy machine made runs INVALID
     * @param out what was printed; runs that only a busy machine made INVALID count as OK
     */
    public record Outcome(int exitCode, String out, String err) {}

    private final Path folder;
    private final StopSignal stop = new StopSignal();
    private final Properties before = new Properties();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Installs everything in the test's own folder. */
    public TestInstallation(Path folder) throws IOException {
        this.folder = folder;
        for (String property : PROPERTIES) {
            String value = System.getProperty(property);
            if (value != null) {
                before.setProperty(property, value);
            }
        }
        Path distribution = Files.createDirectories(folder.resolve("distribution"));
        DriverJars.installFake(Files.createDirectories(distribution.resolve("drivers")), "fake");
        Files.createDirectories(home());
        Files.createDirectories(current());
        System.setProperty("benchmark.home", home().toString());
        System.setProperty("benchmark.distribution", distribution.toString());
        FakeLocalBroker.reset();
    }

    @Override
    public void close() {
        FakeLocalBroker.reset();
        for (String property : PROPERTIES) {
            if (before.containsKey(property)) {
                System.setProperty(property, before.getProperty(property));
            } else {
                System.clearProperty(property);
            }
        }
    }

    public Path home() {
        return folder.resolve("home");
    }

    /** The folder in which the command is started. */
    public Path current() {
        return folder.resolve("current");
    }

    /** The signal to stop, as Ctrl-C gives it. */
    public StopSignal stop() {
        return stop;
    }

    /**
     * Writes a file into the current folder; returns its absolute path, as this process has another current folder.
     */
    public String file(String name, String... lines) throws IOException {
        Path file = current().resolve(name);
        Files.writeString(file, String.join("\n", lines) + "\n");
        return file.toString();
    }

    /** The output so far. */
    public String printed() {
        return out.toString();
    }

    public Outcome run(String... arguments) {
        int exitCode = Main.commandLine(stop, current(), arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        String printed = hidePaths(out.toString());
        String errors = hidePaths(err.toString());
        return exitCode == 1 && isOnlyTheMachine()
                ? new Outcome(0, withoutInvalid(printed), errors)
                : new Outcome(exitCode, printed, errors);
    }

    private static String withoutInvalid(String printed) {
        return COUNTS.matcher(printed.replace(": INVALID", ": OK"))
                .replaceAll(counts ->
                        Integer.parseInt(counts.group(1)) + Integer.parseInt(counts.group(2)) + " OK, 0 INVALID");
    }

    private boolean isOnlyTheMachine() {
        boolean failuresAreExpected = ALL_AS_EXPECTED.matcher(out.toString()).find();
        try (Stream<Path> files = Files.walk(current())) {
            List<JsonNode> results = files.filter(file -> file.toString().endsWith(".json"))
                    .map(file -> JsonMapper.shared().readTree(file.toFile()))
                    .filter(file -> file.has("verdict"))
                    .toList();
            return err.toString().isEmpty()
                    && results.stream()
                            .anyMatch(file -> file.path("verdict").asString().equals("INVALID"))
                    && results.stream()
                            .allMatch(file -> BusyMachine.explains(file)
                                    || failuresAreExpected
                                            && file.path("verdict").asString().equals("FAILED"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Requests a stop once a condition holds during the run. */
    public Outcome runUntil(String what, Callable<Boolean> isSo, String... arguments) throws InterruptedException {
        return runAndOnce(what, isSo, stop::request, arguments);
    }

    /** Runs an action once a condition holds during the run; a condition that throws does not hold yet. */
    public Outcome runAndOnce(String what, Callable<Boolean> isSo, Runnable action, String... arguments)
            throws InterruptedException {
        AtomicReference<Throwable> missed = new AtomicReference<>();
        Thread user = new Thread(() -> {
            try {
                Patience.await(what).ignoreExceptions().until(isSo);
                action.run();
            } catch (RuntimeException | Error e) {
                missed.set(e);
                stop.request();
            }
        });
        user.start();
        Outcome outcome = run(arguments);
        Patience.join(user);
        assertThat(missed).as(outcome.out() + outcome.err()).hasValue(null);
        return outcome;
    }

    /** Hides the folder, whose name differs from test to test. */
    private String hidePaths(String text) {
        return text.replace(folder.toString(), "FOLDER");
    }

    public List<Path> results() throws IOException {
        return in(current().resolve("results"), ".json");
    }

    public List<Path> tables() throws IOException {
        return in(current(), ".csv");
    }

    /** The only result. */
    public JsonNode result() throws IOException {
        List<Path> files = results();
        assertThat(files).hasSize(1);
        return json(files.get(0));
    }

    public static JsonNode json(Path file) throws IOException {
        return JsonMapper.shared().readTree(Files.readAllBytes(file));
    }

    private static List<Path> in(Path folder, String suffix) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }
}
