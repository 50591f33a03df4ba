package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.Tool;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Compares a stream and a subject with {@code nats bench}, which Go builds on first use. */
final class NatsComparison extends SystemComparison {

    private static final String VERSION = "v0.5.0";

    /** Long enough for a slow machine: Go fetches and compiles some 100 modules. */
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(20);

    private static final int WARMUP_S = 10;
    private static final int MEASURED_S = 5;
    private static final int UNANSWERED = 500;

    /** On a subject, {@code nats bench pub} limits nothing; with 500 messages, the producer would mostly wait. */
    private static final int UNCONFIRMED = 20_000;

    private static final int STORED = 500_000;
    private static final int TRANSIENT = 2_000_000;

    private final Bar stream = atLeast("NATS stream, 1 KB, 500 unanswered, against nats bench js pub async", 0.9, "×");
    private final Bar core =
            atLeast("NATS subject, 1 KB, 20,000 unconfirmed, against nats bench pub and sub, received", 0.9, "×");

    NatsComparison(BenchRuns runs) {
        super(runs, "nats");
        startsWithin("NATS", 3);
    }

    @Override
    void repeat(RunningBroker broker) throws Exception {
        String address = broker.addresses().get(0);
        Path tool = tool();
        double published = runs.published(
                driver(address, "JETSTREAM", UNANSWERED), load(WARMUP_S, MEASURED_S, "subscriptionsPerTopic: 0"));
        stream.add(published / storedByTool(tool, address));
        double received = runs.consumed(driver(address, "CORE", UNCONFIRMED), load(WARMUP_S, MEASURED_S));
        core.add(received / receivedByTool(tool, address));
    }

    private static String driver(String address, String mode, int window) {
        return """
                name: NATS
                driverClass: io.openmessaging.benchmark.driver.nats.NatsBenchmarkDriver
                natsHostUrl: %s
                mode: %s
                window: %d
                """.formatted(address, mode, window);
    }

    private double storedByTool(Path tool, String address) throws Exception {
        Path figures = runs.commands().newPath(".csv");
        String name = "perf-" + UUID.randomUUID();
        bench(
                        tool,
                        address,
                        figures,
                        STORED,
                        "js pub async " + name + " --stream " + name,
                        "--batch " + UNANSWERED + " --create --maxbytes 4GB")
                .awaitEnd();
        start(tool, address, "stream rm --force " + name).awaitEnd();
        return rate(figures);
    }

    private double receivedByTool(Path tool, String address) throws Exception {
        Path figures = runs.commands().newPath(".csv");
        String subject = "perf-" + UUID.randomUUID();
        try (Commands.Running subscriber = bench(tool, address, figures, TRANSIENT, "sub " + subject, "")) {
            subscriber.await("expecting", 1);
            bench(tool, address, runs.commands().newPath(".csv"), TRANSIENT, "pub " + subject, "")
                    .awaitEnd();
            subscriber.awaitEnd();
        }
        return rate(figures);
    }

    private Commands.Running bench(Path tool, String address, Path figures, int messages, String what, String more)
            throws IOException {
        String common =
                " --no-progress --size " + MESSAGE_BYTES + " --msgs " + runs.count(messages) + " --csv " + figures;
        return start(tool, address, "bench " + what + common + " " + more);
    }

    private Commands.Running start(Path tool, String address, String line) throws IOException {
        return runs.commands()
                .start(0, Commands.words("%s --no-context --server %s " + line, tool, "nats://" + address));
    }

    /** Returns the rate of the only client, msg/s. */
    private static double rate(Path figures) throws IOException {
        return Commands.lastNumber(Files.readString(figures), "(?m)^[^#,][^,]*,[^,]*,[0-9]+,[0-9]+,([0-9]+),");
    }

    /** Returns the program, built on first use. */
    private Path tool() throws IOException, LocalBrokerException, InterruptedException {
        Path folder = home.toAbsolutePath().resolve(".brokers/tools/natscli-" + VERSION);
        Path program = folder.resolve("nats");
        if (!Files.exists(program)) {
            Path go = ProgramPath.ofThisMachine()
                    .find("go")
                    .orElseThrow(() -> new IOException("nats bench is built by Go, and there is no go on the PATH"));
            System.err.println("building nats bench " + VERSION + ", once");
            new Tool("go", List.of(go.toString(), "install"), Map.of("GOBIN", folder.toString()), home, BUILD_LIMIT)
                    .run("github.com/nats-io/natscli/nats@" + VERSION);
        }
        return program;
    }
}
