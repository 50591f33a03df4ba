package io.openmessaging.benchmark.cli.doctor;

import io.openmessaging.benchmark.broker.LocalBroker;
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

/** Looks at this machine. Takes some three seconds; what it writes it removes. */
public final class Doctor {

    private static final long WATCHED_MS = 1000;

    private static final int READINGS = 100_000;

    /** Limits that any machine can keep, to see by what means it would. */
    private static final ProcessLimit TRIAL = new ProcessLimit(1.0, 64L << 20);

    private final MachineChecks machine;
    private final Path folder;
    private final List<LocalBroker> brokers;

    /**
     * Of this machine.
     *
     * @param folder where runs write
     * @param brokers those that might be started
     */
    public Doctor(MachineChecks machine, Path folder, List<LocalBroker> brokers) {
        this.machine = machine;
        this.folder = folder;
        this.brokers = List.copyOf(brokers);
    }

    /** All checks, in the order in which to read them. */
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
        checks.add(privileges());
        for (LocalBroker broker : brokers) {
            checks.add(broker(broker));
        }
        return checks;
    }

    /** Each message is stamped three times. */
    private static Check readingOfClock() {
        long sum = 0;
        for (int i = 0; i < READINGS; i++) {
            sum += System.nanoTime();
        }
        long startNs = System.nanoTime();
        for (int i = 0; i < READINGS; i++) {
            sum += System.nanoTime();
        }
        double ns = (System.nanoTime() - startNs) / (double) READINGS;
        String text = String.format(Locale.ROOT, "a reading takes %.0f ns", ns);
        // Keeps the loop from being left out.
        return sum == 0 || ns < 200
                ? Check.ok("stamps", text)
                : Check.warning("stamps", text + ", three are taken for each message");
    }

    private static Check limits() {
        String means = Confinement.ofBroker(TRIAL, Confinement.Kind.JVM, LimitMechanisms.ofThisMachine())
                .enforcement()
                .describe();
        return Check.ok("limits", "of brokers and clients are kept so: " + means);
    }

    private static Check privileges() {
        boolean root = "root".equals(System.getProperty("user.name"));
        boolean nftables = MachineChecks.isOnPath("nft");
        return root && nftables
                ? Check.ok("faults", "all kinds: this is root, and nft is there")
                : Check.note(
                        "faults",
                        "nodes can be killed, stopped and paused; to cut them off the network takes "
                                + (root
                                        ? "nftables (apt-get install nftables)"
                                        : "root" + (nftables ? "" : " and nftables")));
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

    /** The folder in which results go, or the one it would be made in. */
    public static Path writtenTo(Path currentFolder) {
        Path results = currentFolder.toAbsolutePath().resolve("results");
        return Files.isDirectory(results) ? results : currentFolder.toAbsolutePath();
    }
}
