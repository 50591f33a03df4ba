package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Streams against {@code redis-benchmark}, and a deep pipeline against none. */
final class RedisComparison extends SystemComparison {

    private static final int MESSAGE_BYTES = 1024;
    private static final int DEPTH = 64;
    private static final int ENTRIES = 1_000_000;

    private final Bar publish =
            bar(Bar.atLeast("Redis STREAM, 1 KB, pipelineDepth 64, against redis-benchmark", 0.8, "×"));
    private final Bar pipeline = bar(Bar.atLeast("Redis STREAM, publish and consume, against pipelineDepth 1", 3, "×"));

    RedisComparison(Runs runs) {
        super(runs);
    }

    @Override
    String system() {
        return "redis";
    }

    @Override
    void repeat(RunningBroker broker) throws IOException, InterruptedException {
        String port = broker.addresses().get(0).replaceFirst(".*:", "");
        double theirs = redisBenchmark(port);
        double ours = Runs.published(runs.unlimited(driver(port, DEPTH), MESSAGE_BYTES, 0, 3, 5));
        publish.add(ours / theirs);
        JsonNode deep = runs.unlimited(driver(port, DEPTH), MESSAGE_BYTES, 1, 3, 5);
        JsonNode flat = runs.unlimited(driver(port, 1), MESSAGE_BYTES, 1, 3, 5);
        pipeline.add(Runs.consumed(deep) / Runs.consumed(flat));
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

    /** One connection, the same depth, the same trimming; the command line is that of an entry of the driver's. */
    private double redisBenchmark(String port) throws IOException, InterruptedException {
        String printed = redisTool(
                "redis-benchmark",
                List.of(
                        "-h",
                        "127.0.0.1",
                        "-p",
                        port,
                        "-c",
                        "1",
                        "-P",
                        Integer.toString(DEPTH),
                        "-n",
                        Integer.toString(runs.count(1_500_000)),
                        "--csv",
                        "XADD",
                        "reference",
                        "MAXLEN",
                        "~",
                        Integer.toString(ENTRIES),
                        "*",
                        "p",
                        "x".repeat(MESSAGE_BYTES)));
        redisTool("redis-cli", List.of("-h", "127.0.0.1", "-p", port, "DEL", "reference"));
        // Its fields are test, rps and six latencies.
        return Commands.lastNumber(printed, "\"([0-9.]+)\"(?:,\"[0-9.]+\"){6}\\s*$");
    }

    /** From the packages that the local broker was started from, else from the PATH. */
    private String redisTool(String name, List<String> arguments) throws IOException, InterruptedException {
        Path packages = runs.commands().home().resolve(".brokers/packages/redis/usr");
        Path unpacked = packages.resolve("bin").resolve(name);
        boolean isUnpacked = Files.isExecutable(unpacked);
        List<String> command = new java.util.ArrayList<>(List.of(isUnpacked ? unpacked.toString() : name));
        command.addAll(arguments);
        return runs.commands()
                .program(
                        isUnpacked ? Map.of("LD_LIBRARY_PATH", libraries(packages.resolve("lib"))) : Map.of(), command);
    }

    /** The folder that Debian calls after the machine's architecture. */
    private static String libraries(Path lib) throws IOException {
        try (var folders = Files.list(lib)) {
            return folders.filter(Files::isDirectory)
                    .map(Path::toString)
                    .reduce((a, b) -> a + ":" + b)
                    .orElse("");
        }
    }
}
