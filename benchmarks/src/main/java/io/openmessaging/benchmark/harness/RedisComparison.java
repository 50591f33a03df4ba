package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.PackageSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares streams with {@code redis-benchmark}, and a deep pipeline with none. */
final class RedisComparison extends SystemComparison {

    private static final int DEPTH = 64;
    private static final int ENTRIES = 1_000_000;

    private final Bar publish = atLeast("Redis STREAM, 1 KB, pipelineDepth 64, against redis-benchmark", 0.8, "×");
    private final Bar pipeline = atLeast("Redis STREAM, publish and consume, against pipelineDepth 1", 3, "×");

    RedisComparison(BenchRuns runs) {
        super(runs, "redis");
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String port = broker.addresses().get(0).replaceFirst(".*:", "");
        double theirs = redisBenchmark(port);
        double ours = runs.published(driver(port, DEPTH), load(3, 5, "subscriptionsPerTopic: 0"));
        publish.add(ours / theirs);
        pipeline.add(runs.consumed(driver(port, DEPTH), load(3, 5)) / runs.consumed(driver(port, 1), load(3, 5)));
    }

    private static String driver(String port, int depth) {
        return """
                name: Redis
                driverClass: io.openmessaging.benchmark.driver.redis.RedisBenchmarkDriver
                redisHost: 127.0.0.1
                redisPort: %s
                mode: STREAM
                pipelineDepth: %d
                maxLength: %d
                """.formatted(port, depth, ENTRIES);
    }

    /**
     * Runs redis-benchmark with one connection, the same depth and the same trimming; the command is the one that the
     * driver sends for an entry.
     */
    private double redisBenchmark(String port) throws Exception {
        String printed = redisTool(
                "redis-benchmark -h 127.0.0.1 -p %s -c 1 -P %s -n %s --csv XADD reference MAXLEN ~ %s * p %s",
                port, DEPTH, runs.count(1_500_000), ENTRIES, "x".repeat(MESSAGE_BYTES));
        redisTool("redis-cli -h 127.0.0.1 -p %s DEL reference", port);
        // Fields of a line: test, rps and six latencies.
        return Commands.lastNumber(printed, "\"([0-9.]+)\"(?:,\"[0-9.]+\"){6}\\s*$");
    }

    /** Runs a tool from the packages of the local broker, or else from the PATH. */
    private String redisTool(String line, Object... values) throws Exception {
        List<String> words = Commands.words(line, values);
        Path packages = home.resolve(".brokers/packages/redis");
        List<String> command = new ArrayList<>(
                Files.exists(packages)
                        ? new PackageSet.Unpacked(packages).command(packages.resolve("usr/bin/" + words.get(0)))
                        : words.subList(0, 1));
        command.addAll(words.subList(1, words.size()));
        return runs.commands().start(0, command).awaitEnd();
    }
}
