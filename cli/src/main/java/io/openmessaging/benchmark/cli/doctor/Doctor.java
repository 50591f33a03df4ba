package io.openmessaging.benchmark.cli.doctor;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.faults.FaultTools;
import io.openmessaging.benchmark.limits.Confinement;
import io.openmessaging.benchmark.limits.LimitMechanisms;
import io.openmessaging.benchmark.limits.ProcessLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks this machine. Takes some three seconds; deletes what it writes. */
public final class Doctor {

    private static final long WATCHED_MS = 1000;

    /** The fastest of several loops was not interrupted. */
    private static final int LOOPS = 100;

    private static final int READINGS = 10_000;

    /** A clock of the processor takes a tenth of it; a clock read through the kernel takes more. */
    private static final double SLOW_READING_NS = 200;

    /** Limits that any machine supports, to see how they would be enforced. */
    private static final ProcessLimit TRIAL = new ProcessLimit(1.0, 64L << 20);

    private final MachineChecks machine;
    private final Path folder;
    private final List<LocalBroker> brokers;

    /**
     * Creates a doctor for this machine.
     *
     * @param folder where runs write
     * @param brokers brokers that might be started
     */
    public Doctor(MachineChecks machine, Path folder, List<LocalBroker> brokers) {
        this.machine = machine;
        this.folder = folder;
        this.brokers = List.copyOf(brokers);
    }

    /** Runs all checks; returns them in reading order. */
    public List<Check> examine() throws InterruptedException {
        List<Check> checks = new ArrayList<>();
        Runtime runtime = Runtime.getRuntime();
        checks.add(Check.ok(
                "java",
                Runtime.version() + " (" + System.getProperty("java.vendor") + "), " + runtime.availableProcessors()
                        + " processors, heap up to " + (runtime.maxMemory() >> 20) + " MiB"));
        checks.add(machine.clock());
        checks.add(readingOfClock());
        checks.add(machine.governor());
        long[] before = machine.ticks();
        Thread.sleep(WATCHED_MS);
        checks.addAll(machine.processors(before, machine.ticks()));
        checks.addAll(machine.memory());
        checks.addAll(machine.limits());
        checks.addAll(DiskCheck.of(folder));
        checks.add(limits());
        checks.addAll(faults());
        for (LocalBroker broker : brokers) {
            checks.add(broker(broker));
        }
        return checks;
    }

    /** Measures how long a reading of the clock takes, since each message is stamped three times. */
    private static Check readingOfClock() {
        long fastestNs = Long.MAX_VALUE;
        for (int i = 0; i < LOOPS; i++) {
            long startNs = System.nanoTime();
            long endNs = startNs;
            for (int j = 0; j < READINGS; j++) {
                endNs = System.nanoTime();
            }
            fastestNs = Math.min(fastestNs, endNs - startNs);
        }
        double ns = fastestNs / (double) READINGS;
        String text = String.format(Locale.ROOT, "a reading takes %.0f ns", ns);
        return ns < SLOW_READING_NS
                ? Check.ok("stamps", text)
                : Check.warning("stamps", text + ", three are taken for each message");
    }

    private static Check limits() {
        String means = Confinement.ofBroker(TRIAL, Confinement.ProcessType.JVM, LimitMechanisms.ofThisMachine())
                .enforcement()
                .describe();
        return Check.ok("limits", "of brokers and clients are enforced by " + means);
    }

    /** Checks the tools for faults. Killing, stopping and pausing nodes is always possible. */
    private static List<Check> faults() {
        FaultTools tools = FaultTools.ofThisMachine();
        return List.of(fault("isolate and delay", tools.whyNoFirewall()), fault("fill-disk", tools.whyNoDisk()));
    }

    private static Check fault(String kinds, Optional<String> obstacle) {
        return obstacle.map(reason -> Check.note("faults", kinds + " cannot be injected here: " + reason))
                .orElseGet(() -> Check.ok("faults", kinds + " can be injected here"));
    }

    private static Check broker(LocalBroker broker) throws InterruptedException {
        LocalBroker.Offer offer = broker.offer();
        if (offer.obstacle().isPresent()) {
            return Check.note(
                    broker.name(), "cannot be started here: " + offer.obstacle().get());
        }
        String port = isFree(broker.usualPort())
                ? ""
                : "; something listens on its usual port " + broker.usualPort() + ", which runs use if the driver file"
                        + " points to it (--brokers local starts one elsewhere)";
        return Check.ok(broker.name(), offer.system() + port);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the folder of the results, or the one in which it would be created. */
    public static Path writtenTo(Path currentFolder) {
        Path results = currentFolder.toAbsolutePath().resolve("results");
        return Files.isDirectory(results) ? results : currentFolder.toAbsolutePath();
    }
}
