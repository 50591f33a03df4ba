package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What one system's driver is compared with: the vendor's own tool, or a bare loop with the vendor's client. */
abstract class SystemComparison {

    final Runs runs;
    private final List<Bar> bars = new ArrayList<>();

    SystemComparison(Runs runs) {
        this.runs = runs;
    }

    /** The local broker's name, which is the comparison's as well. */
    abstract String system();

    /** How the broker is started, the same for both sides. */
    Map<String, String> brokerSettings() {
        return Map.of();
    }

    /** Measures each side of each bar once, in turn. */
    abstract void repeat(RunningBroker broker) throws IOException, InterruptedException, LocalBrokerException;

    /** Measures once what needs no broker to be there before. */
    void repeatWithoutBroker() throws IOException, InterruptedException {}

    final Bar bar(Bar bar) {
        bars.add(bar);
        return bar;
    }

    final List<Bar> bars() {
        return bars;
    }

    /** A bare loop of ours, on the class path of the driver that it is compared with; its last line is returned. */
    final String bareLoop(String className, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(
                "-Xms256m", "-Xmx1g", "-cp", driverClassPath(), getClass().getPackageName() + ".bare." + className));
        all.addAll(List.of(arguments));
        return runs.commands().java(all);
    }

    private String driverClassPath() {
        return runs.commands().home().resolve("dist/target/benchmark/drivers/" + system()) + "/*:"
                + runs.commands().home().resolve("dist/target/benchmark/lib") + "/*:"
                + System.getProperty("java.class.path");
    }

    /** A second way into the broker. */
    static String endpoint(RunningBroker broker, String name) throws IOException {
        List<String> addresses = broker.endpoints().getOrDefault(name, List.of());
        if (addresses.isEmpty()) {
            throw new IOException(broker.product() + " has no endpoint " + name + ", only " + broker.endpoints());
        }
        return addresses.get(0);
    }

    /** What a bare loop says it has published. */
    static double published(String printed) throws IOException {
        return Commands.lastNumber(printed, "published_per_s=([0-9.]+)");
    }

    /** What a bare loop says it has received. */
    static double received(String printed) throws IOException {
        return Commands.lastNumber(printed, "received_per_s=([0-9.]+)");
    }
}
