package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Jvm;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Version;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitMechanisms;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares one system's driver with the vendor's own tool, or with a bare loop with the vendor's client. */
abstract class SystemComparison extends Bench {

    static final int MESSAGE_BYTES = 1024;

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long MEMORY_BYTES = 4L << 30;

    final Path home;
    private final String system;
    private @Nullable Bar start;

    /** Creates a comparison with the name of its local broker. */
    SystemComparison(BenchRuns runs, String system) {
        this(runs, system, system);
    }

    /** Creates a comparison with a separate name, for systems with several comparisons. */
    SystemComparison(BenchRuns runs, String name, String system) {
        super(runs, name);
        this.system = system;
        this.home = runs.commands().home();
    }

    /** Returns the broker's settings, the same for both sides. */
    Map<String, String> brokerSettings() {
        return Map.of();
    }

    /** Returns the broker's processor limit, the same for both sides; no limit by default. */
    ProcessLimit brokerLimit() {
        return ProcessLimit.NONE;
    }

    /** Measures each side of each bar once, in turn. */
    abstract void repeat(RunningBroker broker) throws Exception;

    @Override
    void measure(int repetitions) throws Exception {
        repeat(1, repetitions, repetitions);
        if (start != null) {
            for (int i = 1; i <= repetitions; i++) {
                start.add(runs.startToFirstMessage("driver-%s/%s.yaml".formatted(system, system)));
            }
        }
    }

    /** Measures some of all repetitions against one broker. */
    final void repeat(int first, int last, int repetitions) throws Exception {
        try (RunningBroker broker = startBroker()) {
            for (int i = first; i <= last; i++) {
                System.err.printf("%s, repetition %d of %d%n", name(), i, repetitions);
                repeat(broker);
            }
        }
    }

    /** Starts a broker of one node. */
    private RunningBroker startBroker() throws Exception {
        LocalBroker broker = LocalBroker.installed().stream()
                .filter(candidate -> candidate.name().equals(system))
                .findFirst()
                .orElseThrow();
        Path folder = fastFolder()
                .resolve("bench-" + name() + "-" + ProcessHandle.current().pid());
        Location place = new Location(home, folder);
        Confinement confinement = Confinement.ofBroker(brokerLimit(), broker.kind(), LimitMechanisms.ofThisMachine());
        return broker.start(new LocalBrokerOptions(
                Version.CURRENT,
                1,
                new Jvm(null, false),
                brokerSettings(),
                confinement,
                Security.NONE,
                place,
                System.err::println));
    }

    /**
     * Returns a folder in memory if there is room: the difference between two clients is smaller than the variation of
     * a disk.
     */
    private Path fastFolder() throws IOException {
        boolean inMemory =
                Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > MEMORY_BYTES;
        return inMemory ? MEMORY : home.resolve(".brokers/runs");
    }

    /** Adds the time from the start of the local broker to the first message. */
    final void startsWithin(String product, double limitS) {
        start = atMost(product + ", start of the local broker to the first message", limitS, "s");
    }

    /**
     * Returns the keys of a workload with messages of 1 KB on one topic, as fast as possible; further keys replace
     * these.
     */
    static String[] load(int warmupS, int measuredS, String... more) {
        String[] keys = {
            "messageSize: " + MESSAGE_BYTES, "warmupDuration: " + warmupS + "s", "testDuration: " + measuredS + "s"
        };
        return Stream.concat(Stream.of(keys), Stream.of(more)).toArray(String[]::new);
    }

    /**
     * Starts the vendor's tool.
     *
     * @param pomResource POM that lists its jars, which are fetched on first use
     * @param line options of the JVM, its class and arguments, see {@link Commands#words}
     */
    final Commands.Running vendor(String pomResource, String line, Object... values) throws Exception {
        List<Path> jars = JarSet.ofResource(getClass(), pomResource).fetched(home, System.err::println);
        return java(jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)), line, values);
    }

    private Commands.Running java(String classPath, String line, Object... values) throws IOException {
        Object[] all = Stream.concat(Stream.of(classPath), Stream.of(values)).toArray();
        return runs.commands().startJava("-Xms256m -Xmx1g -cp %s " + line, all);
    }

    /**
     * Returns the rate of messages received by a bare loop, msg/s; it has the class path of the driver that it is
     * compared with.
     *
     * @param line its class and arguments, see {@link Commands#words}
     */
    final double bareLoop(String line, Object... values) throws Exception {
        Path distribution = home.resolve("dist/target/benchmark");
        String classPath = distribution.resolve("drivers/" + system) + "/*:" + distribution.resolve("lib") + "/*:"
                + System.getProperty("java.class.path");
        String printed = java(classPath, getClass().getPackageName() + ".bare." + line, values)
                .awaitEnd();
        return Commands.lastNumber(printed, "received_per_s=([0-9.]+)");
    }

    /** Returns the first address of a further endpoint of the broker. */
    static String endpoint(RunningBroker broker, String name) throws IOException {
        List<String> addresses = broker.endpoints().getOrDefault(name, List.of());
        if (addresses.isEmpty()) {
            throw new IOException(broker.product() + " has no endpoint " + name + ", only " + broker.endpoints());
        }
        return addresses.get(0);
    }
}
