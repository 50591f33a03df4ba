package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one system's driver is compared with: the vendor's own tool, or a bare loop with the vendor's client. */
abstract class SystemComparison {

    static final int MESSAGE_BYTES = 1024;

    final Runs runs;
    private final String system;
    private final List<Bar> bars = new ArrayList<>();
    private @Nullable Bar start;

    /** Of the local broker of this name. */
    SystemComparison(Runs runs, String system) {
        this.runs = runs;
        this.system = system;
    }

    /** The local broker's name, which is the comparison's as well. */
    final String system() {
        return system;
    }

    /** How the broker is started, the same for both sides. */
    Map<String, String> brokerSettings() {
        return Map.of();
    }

    /** Measures each side of each bar once, in turn. */
    abstract void repeat(RunningBroker broker) throws IOException, InterruptedException, LocalBrokerException;

    /** Measures once what needs no broker to be there before. */
    final void repeatWithoutBroker() throws IOException, InterruptedException {
        if (start != null) {
            start.add(runs.startToFirstMessage("driver-%s/%s.yaml".formatted(system, system)));
        }
    }

    final Bar bar(Bar bar) {
        bars.add(bar);
        return bar;
    }

    /** Also measures how long it takes from the start of the local broker to the first message. */
    final void startsWithin(String product, double limitS) {
        start = bar(Bar.atMost(product + ", start of the local broker to the first message", limitS, "s"));
    }

    final List<Bar> bars() {
        return bars;
    }

    /** Messages a second that our driver and consumer take of one topic, as fast as they come. */
    final double consumed(String driver, int warmupS, int measuredS) throws IOException, InterruptedException {
        return Runs.consumed(runs.unlimited(driver, MESSAGE_BYTES, 1, warmupS, measuredS));
    }

    /** The class path of the vendor's tool, fetched on first use. */
    final String tool(String pomResource) throws LocalBrokerException, InterruptedException {
        return LocalSystems.tool(runs.commands().home(), pomResource);
    }

    /**
     * Messages a second that a bare loop of ours has received, on the class path of the driver that it is compared with.
     *
     * @param line its class and arguments, see {@link Commands#words}
     */
    final double bareLoop(String line, Object... values) throws IOException, InterruptedException {
        String classPath = runs.commands().home().resolve("dist/target/benchmark/drivers/" + system) + "/*:"
                + runs.commands().home().resolve("dist/target/benchmark/lib") + "/*:"
                + System.getProperty("java.class.path");
        List<Object> all = new ArrayList<>(List.of(classPath, getClass().getPackageName()));
        all.addAll(List.of(values));
        String printed = runs.commands().java("-Xms256m -Xmx1g -cp %s %s.bare." + line, all.toArray());
        return Commands.lastNumber(printed, "received_per_s=([0-9.]+)");
    }

    /** A second way into the broker. */
    static String endpoint(RunningBroker broker, String name) throws IOException {
        List<String> addresses = broker.endpoints().getOrDefault(name, List.of());
        if (addresses.isEmpty()) {
            throw new IOException(broker.product() + " has no endpoint " + name + ", only " + broker.endpoints());
        }
        return addresses.get(0);
    }
}
