package io.openmessaging.benchmark.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.timing.Timing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The collections that we report for a JVM are those of its own log. */
@Isolated
class CollectionsIT {

    private static final int GARBAGE_MB = 300;
    private static final int FULL_COLLECTIONS = 3;

    /** Such as {@code [0.2s][info][gc] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 23M->1M(50M) 1.234ms}. */
    private static final Pattern PAUSE = Pattern.compile("GC\\(\\d+\\) Pause (Young|Full) .* (\\d+[.]\\d+)ms");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    enum Collector {
        SERIAL("-XX:+UseSerialGC", "Copy", "MarkSweepCompact"),
        G1("-XX:+UseG1GC", "G1 Young Generation", "G1 Old Generation");

        private final String option;
        private final String young;
        private final String full;

        Collector(String option, String young, String full) {
            this.option = option;
            this.young = young;
            this.full = full;
        }
    }

    private ChildJvm child(Collector collector, String... options) throws IOException {
        String[] all = Arrays.copyOf(options, options.length + 3);
        all[options.length] = collector.option;
        all[options.length + 1] = "-Xmx64m";
        all[options.length + 2] = "-Xlog:gc:file=" + log();
        return ChildJvm.start(all);
    }

    private Path log() {
        return folder.resolve("gc.log");
    }

    /** Returns the work by collector, according to the log. */
    private Map<String, CollectorWork> logged(Collector collector) throws IOException {
        Map<String, CollectorWork> work =
                new HashMap<>(Map.of(collector.young, CollectorWork.NONE, collector.full, CollectorWork.NONE));
        Matcher pauses = PAUSE.matcher(Files.readString(log()));
        for (MatchResult pause : (Iterable<MatchResult>) pauses.results()::iterator) {
            String name = pause.group(1).equals("Full") ? collector.full : collector.young;
            work.merge(name, new CollectorWork(1, Double.parseDouble(pause.group(2))), CollectorWork::plus);
        }
        return work;
    }

    /** Reads the collections. If the JVM collects again before its log is read, both are read and compared again. */
    private interface Reading {
        Map<String, CollectorWork> read() throws Exception;
    }

    /** An assertion on the times of a collector. */
    private interface Times {
        void compare(String collector, CollectorWork read, CollectorWork logged);
    }

    private static void any(String collector, CollectorWork read, CollectorWork logged) {}

    /** The collectors' own clock rounds each collection down and starts a little later. */
    private static void same(String collector, CollectorWork read, CollectorWork logged) {
        assertThat(read.milliseconds())
                .as(collector)
                .isCloseTo(logged.milliseconds(), within(0.2 * logged.milliseconds() + logged.collections() + 5));
    }

    private void assertAsLogged(Collector collector, Reading reading, Times times) {
        Patience.await("the collections to be those of the log").untilAsserted(() -> {
            Map<String, CollectorWork> read = reading.read();
            Map<String, CollectorWork> logged = logged(collector);
            assertThat(read).containsOnlyKeys(logged.keySet());
            logged.forEach((name, work) -> {
                CollectorWork ours = read.getOrDefault(name, CollectorWork.NONE);
                assertThat(ours.collections()).as(name).isEqualTo(work.collections());
                // Each collection is rounded down.
                assertThat(ours.milliseconds()).as(name).isNotNegative();
                times.compare(name, ours, work);
            });
        });
        assertThat(logs(collector, collector.young)).isGreaterThan(2);
        assertThat(logs(collector, collector.full)).isGreaterThanOrEqualTo(FULL_COLLECTIONS);
    }

    private long logs(Collector collector, String name) {
        try {
            return logged(collector).getOrDefault(name, CollectorWork.NONE).collections();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExporterOfAJvmTellsWhatItsLogTells(Collector collector) throws Exception {
        readByExporter(collector, CollectionsIT::any);
    }

    @Timing(toleranceMs = 20)
    @ParameterizedTest
    @EnumSource
    void anExporterOfAJvmTellsHowLongItsLogTells(Collector collector) throws Exception {
        readByExporter(collector, CollectionsIT::same);
    }

    private void readByExporter(Collector collector, Times times) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path rules = Files.writeString(folder.resolve("rules.yaml"), "includeObjectNames: []\n");
        String agent = "-javaagent:" + agent() + "=127.0.0.1:" + port + ":" + rules;
        try (ChildJvm child = child(collector, agent);
                PolledProbe probe = PolledProbe.ofLocalExporter(
                        "node", "127.0.0.1:" + port, Duration.ofMillis(200), ProcessProbe.FIGURES)) {
            assertThat(child.ask("collect " + GARBAGE_MB + " " + FULL_COLLECTIONS))
                    .startsWith("collected");
            assertAsLogged(
                    collector,
                    () -> {
                        assertThat(nextAnswer(probe)).containsKeys(Figure.HEAP_USED_BYTES, Figure.HEAP_COMMITTED_BYTES);
                        return probe.collectors();
                    },
                    times);
            assertThat(probe.read().keySet()).doesNotContainAnyElementsOf(ProcessProbe.FIGURES);
        }
    }

    /** Waits for the next answer: between two answers, there is nothing to read. */
    private static Map<Figure, Double> nextAnswer(PolledProbe probe) {
        return Patience.await("an answer of the exporter").until(probe::read, read -> !read.isEmpty());
    }

    private static String agent() {
        return Arrays.stream(System.getProperty("java.class.path").split(":"))
                .filter(path -> path.contains("jmx_prometheus_javaagent-"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void theHarnessReadsOfItselfWhatItsLogTells(Collector collector) throws Exception {
        readOfItself(collector, CollectionsIT::any);
    }

    @Timing(toleranceMs = 20)
    @ParameterizedTest
    @EnumSource
    void theHarnessReadsOfItselfHowLongItsLogTells(Collector collector) throws Exception {
        readOfItself(collector, CollectionsIT::same);
    }

    private void readOfItself(Collector collector, Times times) throws Exception {
        try (ChildJvm child = child(collector)) {
            assertThat(child.ask("collect " + GARBAGE_MB + " " + FULL_COLLECTIONS))
                    .startsWith("collected");
            assertAsLogged(collector, () -> parse(child.ask("collectors")), times);
        }
    }

    private static Map<String, CollectorWork> parse(String text) {
        Map<String, CollectorWork> collectors = new HashMap<>();
        for (String collector : text.split(";")) {
            String[] parts = collector.split("=");
            collectors.put(parts[0], new CollectorWork(Long.parseLong(parts[1]), Double.parseDouble(parts[2])));
        }
        return collectors;
    }
}
