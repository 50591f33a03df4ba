package io.openmessaging.benchmark.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Faults of a real broker, and their leftovers when the harness dies in the middle of one. */
class FaultsIT extends WithBenchmark {

    private static final String OTHERS = "the default suite has one fault of a real broker";

    private static final Pattern PORT = Pattern.compile("is ready on 127.0.0.1:([0-9]+)");

    private static final String WORKLOAD = ONE_OF_EACH + """
            producerRate: 200
            warmupDuration: 1s
            samplePeriod: 1s
            """;

    private void redis() throws IOException {
        String driver = Files.readString(Benchmark.HOME.resolve("driver-redis/redis.yaml"));
        // Nothing listens on port 1.
        benchmark.file("driver.yaml", driver.replaceAll("localhost:[0-9]+", "localhost:1"));
    }

    @Test
    void aRedisThatKeepsNothingIsAwayAndWhatItHeldIsLost() throws Exception {
        redis();
        benchmark.file(
                "workload.yaml",
                WORKLOAD + "testDuration: 12s\nslo: {downSeconds: 100ms}\nfaults: [{at: 2s, kill: leader, for: 2s}]\n");

        Benchmark.Outcome outcome = benchmark.run("-d", "driver.yaml", "workload.yaml");

        assertThat(outcome.exitCode()).as(outcome.all()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("fault 1")
                .containsPattern("killed redis-1 \\(leader\\) at [0-9.]+ s for [0-9.]+ s");
        JsonNode result = benchmark.result();
        // The run is INVALID if the machine is too busy.
        assertThat(result.path("verdict").asString()).as(outcome.all()).isIn("SLO_MISSED", "INVALID");
        assertThat(result.path("findings").toString()).contains("DownTooLong");
        JsonNode fault = result.path("faults").path(0);
        assertThat(fault.path("problem").isNull()).isTrue();
        assertDownWhileItLasted(fault);
        assertThat(fault.path("messages").path("failed").asLong()).isPositive();
        assertThat(fault.path("errors").toString()).as("errors by kind").contains("Jedis");
        assertThat(result.path("faultTotals").path("downSeconds")).isEqualTo(fault.path("downSeconds"));
        assertThat(fault.path("messages").path("undelivered").asLong())
                .as("consumers have found the new stream")
                .isZero();
        assertThat(result.path("availability").toString()).contains("down");
        assertThat(result.path("broker").path("placement").toString()).contains(":1}");
        assertThat(benchmark.brokers()).isEmpty();
    }

    /** The system is down from the time the fault took effect to the order to undo it; times are known to 10 ms. */
    private static void assertDownWhileItLasted(JsonNode fault) {
        Instant begun = Instant.parse(fault.path("begin").path("end").asString());
        Instant undoOrdered = Instant.parse(fault.path("end").path("start").asString());
        double lastedSeconds = Duration.between(begun, undoOrdered).toMillis() / 1e3;
        assertThat(fault.path("downSeconds").asDouble())
                .as(fault.toString())
                .isPositive()
                .isGreaterThanOrEqualTo(lastedSeconds - 0.02);
    }

    /** Makes the subscription skip messages of the next minutes. */
    private static final String MOVE_SUBSCRIPTION = """
            local moved = 0
            for _, key in ipairs(redis.call('KEYS', '*')) do
              if redis.call('TYPE', key).ok == 'stream' then
                for _, group in ipairs(redis.call('XINFO', 'GROUPS', key)) do
                  redis.call('XGROUP', 'SETID', key, group[2], (redis.call('TIME')[1] + 600) .. '000-0')
                  moved = moved + 1
                end
              end
            end
            return moved
            """;

    private static final String DELETE_NEWEST = """
            local deleted = 0
            for _, key in ipairs(redis.call('KEYS', '*')) do
              if redis.call('TYPE', key).ok == 'stream' then
                for _, entry in ipairs(redis.call('XREVRANGE', key, '+', '-', 'COUNT', 5)) do
                  deleted = deleted + redis.call('XDEL', key, entry[1])
                end
              end
            end
            return deleted
            """;

    @Test
    @LongSuite(OTHERS)
    void whatRedisHasAndNobodyGotIsFoundAndTheRestIsLost() throws Exception {
        redis();
        Path begun = folder.resolve("begun");
        Path ended = folder.resolve("ended");
        benchmark.file(
                "workload.yaml",
                WORKLOAD + "testDuration: 6s\nfaults: [{at: 2s, run: 'touch " + begun + "', undo: 'touch " + ended
                        + "', for: 1s}]\n");
        Process process = benchmark.start("-d", "driver.yaml", "workload.yaml");
        Waiting.until("the begin of the fault", () -> Files.exists(begun));
        assertThat(evaluate(MOVE_SUBSCRIPTION)).isEqualTo(":1");
        Waiting.until("its end", () -> Files.exists(ended));
        assertThat(evaluate(DELETE_NEWEST)).isEqualTo(":5");

        Benchmark.Outcome outcome = benchmark.await(process);

        JsonNode result = benchmark.result();
        JsonNode messages = result.path("faults").path(0).path("messages");
        assertThat(messages.path("acknowledgedLost").asLong()).as(outcome.all()).isEqualTo(5);
        assertThat(messages.path("foundAnew").asLong()).isPositive();
        assertThat(messages.path("undelivered").asLong())
                .isEqualTo(messages.path("foundAnew").asLong());
        assertThat(result.path("findings").toString()).contains("NotDelivered", "AcknowledgedLost");
        assertThat(outcome.out().replaceAll("\\s+", " "))
                .contains("acknowledged and lost 5, not delivered but found by a fresh consumer ");
        assertThat(benchmark.brokers()).isEmpty();
    }

    /** Runs a script in the Redis that the harness started; returns the first line of the answer. */
    private String evaluate(String script) throws IOException {
        Matcher port = PORT.matcher(benchmark.printed());
        assertThat(port.find()).as(benchmark.printed()).isTrue();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)))) {
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            String command = "*3\r\n$4\r\nEVAL\r\n$" + script.length() + "\r\n" + script + "\r\n$1\r\n0\r\n";
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    @LongSuite(OTHERS)
    void aFaultIsSeenByWorkersOfTheirOwn() throws Exception {
        redis();
        benchmark.file(
                "workload.yaml",
                WORKLOAD.replace("topics: 1", "topics: 2")
                        + "testDuration: 15s\nfaults: [{at: 4s, pause: all, for: 3s}]\n");

        Benchmark.Outcome outcome = benchmark.run("--local-workers", "2", "-d", "driver.yaml", "workload.yaml");

        assertThat(outcome.out())
                .as(outcome.all())
                .containsPattern("paused redis-1 \\(all\\) at [0-9.]+ s for [0-9.]+ s");
        JsonNode fault = benchmark.result().path("faults").path(0);
        assertThat(fault.path("detectedSeconds").isNumber()).isTrue();
        assertDownWhileItLasted(fault);
        assertThat(fault.path("messages").path("acknowledgedLost").asLong()).isZero();
        assertThat(benchmark.brokers()).isEmpty();
    }

    /** A consumer is gone with the messages it received, and so is a producer. */
    @Test
    @LongSuite(OTHERS)
    void theRunGoesOnWithoutAWorkerThatIsKilled() throws Exception {
        redis();
        benchmark.file(
                "workload.yaml",
                WORKLOAD.replace("topics: 1", "topics: 2")
                        + "testDuration: 12s\nfaults: [{at: 2s, pause: worker-1, for: 2s}, {at: 6s, kill: worker-2}]\n");

        Benchmark.Outcome outcome = benchmark.run("--local-workers", "2", "-d", "driver.yaml", "workload.yaml");

        assertThat(outcome.out())
                .as(outcome.all())
                .containsPattern("paused worker 1 \\([^)]*\\) at [0-9.]+ s for [0-9.]+ s")
                .containsPattern("killed worker 2 \\([^)]*\\) at [0-9.]+ s");
        JsonNode result = benchmark.result();
        assertThat(result.path("findings").toString()).doesNotContain("WorkerLost", "FaultNotDone", "MessagesLost");
        assertThat(result.path("faultTotals").path("acknowledgedLost").asLong()).isZero();
        assertThat(result.path("workers").path(0).path("lost").isNull()).isTrue();
        assertThat(result.path("workers").path(1).path("lost").asString())
                .isEqualTo("a fault of the workload has killed it");
        assertThat(result.path("endToEndLatencyAvg").size())
                .as("latencies are given to the end, the clock of the killed worker included")
                .isPositive()
                .isEqualTo(result.path("publishRate").size());
        assertThat(benchmark.brokers()).isEmpty();
    }

    @Test
    @LongSuite(OTHERS)
    void aPausedWorkerEndsWithAHarnessThatIsKilled() throws Exception {
        redis();
        benchmark.file("workload.yaml", WORKLOAD + "testDuration: 4m\nfaults: [{at: 1s, pause: worker-1, for: 3m}]\n");
        Process process = benchmark.start(
                "--local-workers", "1", "--worker-limit", "lost=4m", "-d", "driver.yaml", "workload.yaml");
        Set<ProcessHandle> paused = new HashSet<>();
        try {
            Waiting.until("a worker that stands still", () -> {
                process.toHandle().descendants().filter(FaultsIT::standsStill).forEach(paused::add);
                return !paused.isEmpty();
            });
        } finally {
            process.destroyForcibly();
        }
        Waiting.until("the end of the worker", () -> paused.stream().noneMatch(ProcessHandle::isAlive));
        Waiting.until("the end of the broker", () -> benchmark.brokers().isEmpty());
    }

    @Test
    void whatIsNotPossibleIsRefusedBeforeAnythingIsStarted() throws Exception {
        Path workload = benchmark.file(
                "workload.yaml", WORKLOAD + "testDuration: 5s\nfaults: [{at: 1s, kill: node-3, for: 1s}]\n");

        Benchmark.Outcome outcome = benchmark.runInProcess("--dry-run", "-d", "redis", workload.toString());

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .contains("workload.yaml: faults[0]: there is no node-3, the broker has 1 node (--local-nodes)");
    }

    private static boolean standsStill(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"))
                    .contains(") T ");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    @LongSuite(OTHERS)
    void aPausedBrokerEndsWithAHarnessThatIsKilled() throws Exception {
        redis();
        benchmark.file("workload.yaml", WORKLOAD + "testDuration: 4m\nfaults: [{at: 1s, pause: all, for: 3m}]\n");
        Process process = benchmark.start("-d", "driver.yaml", "workload.yaml");
        try {
            Waiting.until(
                    "a broker that stands still",
                    () -> benchmark.brokers().stream().anyMatch(FaultsIT::standsStill));
        } finally {
            process.destroyForcibly();
        }
        Waiting.until("the end of the broker", () -> benchmark.brokers().isEmpty());
    }

    @Test
    @LongSuite(OTHERS)
    void aCommandIsTakenBackWhenTheHarnessIsKilled() throws Exception {
        Path cut = folder.resolve("cut");
        benchmark.file("driver.yaml", Files.readString(Benchmark.HOME.resolve("driver-inmemory/inmemory.yaml")));
        benchmark.file(
                "workload.yaml",
                WORKLOAD + "testDuration: 4m\nfaults: [{at: 1s, run: 'touch " + cut + "', undo: 'rm " + cut
                        + "', for: 3m}]\n");
        Process process = benchmark.start("-d", "driver.yaml", "workload.yaml");
        try {
            Waiting.until("the command", () -> Files.exists(cut));
        } finally {
            process.destroyForcibly();
        }
        Waiting.until("what takes it back", () -> !Files.exists(cut));
    }

    private void needsRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "rules and mounts are for root");
    }

    private static String printed(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        process.waitFor();
        return text;
    }

    /** The firewall rules and control groups that a harness made. */
    private static String traces(long pid) throws IOException, InterruptedException {
        String tables = printed("/usr/sbin/nft", "list", "tables")
                .lines()
                .filter(line -> line.contains("omb_" + pid + "_"))
                .collect(Collectors.joining());
        return tables + printed("find", "/sys/fs/cgroup", "-name", "benchmark-sockets-*-" + pid + "-*");
    }

    /**
     * The file behind a loop device; empty if unknown. The kernel fails with ENODEV while a device is being bound, or
     * just after its release.
     */
    private static String behind(Path loop) {
        try {
            return Files.readString(loop.resolve("loop/backing_file")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** The files behind the loop devices of this checkout's brokers. */
    private static Set<String> disks() throws IOException {
        Set<String> disks = new HashSet<>();
        try (DirectoryStream<Path> loops = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
            for (Path loop : loops) {
                disks.add(behind(loop));
            }
        }
        disks.removeIf(disk -> !disk.startsWith(Benchmark.HOME.resolve(".brokers/runs") + "/"));
        return disks;
    }

    /** A visible sign of a fault in progress. */
    private interface Sign {
        boolean isSeen(long pid) throws Exception;
    }

    /** Kills the harness in the middle of a fault. */
    private void killedInTheMiddle(String fault, Sign sign) throws Exception {
        needsRoot();
        redis();
        benchmark.file("workload.yaml", WORKLOAD + "testDuration: 4m\nfaults: [{at: 1s, " + fault + ", for: 3m}]\n");
        Process process = benchmark.start("-d", "driver.yaml", "workload.yaml");
        // The script becomes the JVM.
        long pid = process.pid();
        try {
            Waiting.until("the fault", () -> sign.isSeen(pid));
        } finally {
            process.destroyForcibly();
        }
        Waiting.until(
                "nothing that is left",
                () -> benchmark.brokers().isEmpty() && traces(pid).isEmpty());
    }

    @Test
    @LongSuite(OTHERS)
    void noRuleOfAnIsolationIsLeftByAHarnessThatIsKilled() throws Exception {
        killedInTheMiddle("isolate: all", pid -> traces(pid).contains("_redis_1"));
    }

    @Test
    @LongSuite(OTHERS)
    void noRelayIsLeftByAHarnessThatIsKilled() throws Exception {
        killedInTheMiddle("delay: all, by: 50ms", pid -> traces(pid).contains("_relay") && secondsMeasured() > 2);
    }

    /** A relay exists before a fault starts, so only the time shows that the fault has started. */
    private long secondsMeasured() throws IOException {
        return benchmark
                .printed()
                .lines()
                .filter(line -> line.startsWith("measure "))
                .count();
    }

    @Test
    @LongSuite(OTHERS)
    void noDiskIsLeftByAHarnessThatIsKilled() throws Exception {
        Set<String> full = new HashSet<>();
        killedInTheMiddle("fill-disk: all, size: 64m", pid -> {
            full.addAll(fullDisks());
            return !full.isEmpty();
        });
        Waiting.until("no disk", () -> disks().stream().noneMatch(full::contains));
        assertThat(full).allSatisfy(disk -> assertThat(Path.of(disk)).doesNotExist());
    }

    /** The full disks of the broker started here, which only its processes see. */
    private Set<String> fullDisks() throws IOException {
        Set<String> full = new HashSet<>();
        for (String disk : disks()) {
            String filler = "root" + disk.replace("redis-1.disk", "redis-1/data/.filler");
            if (benchmark.brokers().stream()
                    .anyMatch(broker -> Files.exists(Path.of("/proc", "" + broker.pid(), filler)))) {
                full.add(disk);
            }
        }
        return full;
    }
}
