package io.openmessaging.benchmark.broker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.openmessaging.benchmark.broker.ListenAddress;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Location;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.launch.LocalPorts;
import io.openmessaging.benchmark.suite.BrokerStarts;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests of the contract of every local broker, with the real one. A broker's module extends this class once, supplies
 * the broker, and adds a test that it carries messages, with {@link #assertNothingIsLeft} at the end. These two starts
 * suffice for the default suite: tests that start another broker belong to the long one.
 *
 * <p>Jars and packages are fetched on first use into the checkout's own cache, which is located by the system property
 * {@code benchmark.home}.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class LocalBrokerContractTest {

    /** The home folder of the checkout. */
    protected static final Path HOME = Path.of(System.getProperty("benchmark.home", ""));

    /** An address of this machine that, like loopback, no other machine reaches. */
    private static final ListenAddress OTHER_ADDRESS = new ListenAddress("127.0.0.2");

    private static final String OTHER_ADDRESS_IN_THE_KERNEL = "0200007F";

    private static final boolean IS_LINUX = Files.exists(Path.of("/proc/self/net"));

    /** The parent of the broker's folder. */
    @TempDir
    protected Path temp;

    protected abstract LocalBroker localBroker();

    /** Verifies that a broker of one node serves clients at the addresses that it reports. */
    protected abstract void exchangeMessages(RunningBroker broker) throws Exception;

    /** Returns the default heap of each node that the tests start; the broker's own default unless overridden. */
    protected @Nullable String heap() {
        return null;
    }

    /** Returns whether the broker has a heap; true unless overridden. */
    protected boolean isOnTheJvm() {
        return true;
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(ListenAddress.LOOPBACK.host()))) {
            assertThatThrownBy(() -> start(options(1, taken.getLocalPort(), heap(), Map.of())))
                    .isInstanceOf(LocalBrokerException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
        assertThat(folder()).doesNotExist();
    }

    @Test
    @LongSuite("starts what the broker needs before it fails")
    void aHeapThatIsTooSmallEndsTheStartWithTheReason() {
        assumeTrue(isOnTheJvm(), "the broker is no Java program");
        assertThatThrownBy(() -> start(options(1, 0, "1m", Map.of())))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageMatching("(?s)" + localBroker().name() + "-\\w+ \\(pid \\d+\\) .*heap.*");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void listensOnLoopbackOnlyAndAKilledStarterLeavesNoProcessAndNoFolder() throws Exception {
        Starter starter = startElsewhere(Lifetime.WITH_STARTER);
        List<Long> pids = starter.nodes().stream().map(ProcessHandle::pid).toList();
        Set<Integer> ports = ports(pids, starter.addresses());
        for (long pid : IS_LINUX ? pids : List.<Long>of()) {
            assertThat(ListeningSockets.beyondLoopback(pid)).isEmpty();
        }

        starter.kill();

        Patience.until(
                "end of the nodes",
                () -> starter.nodes().stream()
                        .noneMatch(node -> node.info().command().isPresent()));
        Patience.until("removal of the folder", () -> !Files.exists(folder()));
        awaitNoProcessNamesTheFolder();
        awaitNobodyListens(ports);
    }

    @Test
    @LongSuite("starts another broker")
    void onlyWhatClientsNeedListensAtAnotherAddress() throws Exception {
        assumeTrue(IS_LINUX, "only Linux has a second loopback address");
        Location place = new Location(HOME, folder(), OTHER_ADDRESS, 0, Lifetime.WITH_STARTER);
        try (RunningBroker broker = start(new LocalBrokerOptions(1, heap(), Map.of(), place, System.out::println))) {
            List<String> addresses = new ArrayList<>(broker.addresses());
            broker.endpoints().values().forEach(addresses::addAll);
            addresses.removeAll(broker.exporters().values());
            for (String address : addresses) {
                assertThat(address).startsWith(OTHER_ADDRESS.host() + ":");
                assertThat(LocalPorts.listens(address)).isTrue();
                assertThat(LocalPorts.listens(ListenAddress.LOOPBACK.withPort(port(address))))
                        .isFalse();
            }
            assertThat(broker.exporters().values())
                    .allMatch(address -> address.startsWith(ListenAddress.LOOPBACK.host()));
            for (RunningBroker.Node node : broker.nodes()) {
                assertThat(ListeningSockets.beyondLoopback(node.pid()))
                        .allMatch(socket -> socket.split(":", 2)[0].endsWith(OTHER_ADDRESS_IN_THE_KERNEL));
            }
            exchangeMessages(broker);
        }
        assertThat(folder()).doesNotExist();
    }

    // Helpers for further tests

    /** Starts a broker in this process. */
    protected final RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        BrokerStarts.count(localBroker().name());
        return localBroker().start(options);
    }

    /** Starts a broker of one node in this process. */
    protected final RunningBroker start(Map<String, String> settings)
            throws LocalBrokerException, InterruptedException {
        return start(options(1, settings));
    }

    /** Starts a broker from a process that can be killed. */
    protected final Starter startElsewhere(Lifetime lifetime) throws IOException {
        BrokerStarts.count(localBroker().name());
        return Starter.start(
                localBroker(),
                new LocalBrokerOptions(1, heap(), Map.of(), new Location(HOME, folder(), 0, lifetime), text -> {}));
    }

    /** Returns options with free ports and the default heap. */
    protected final LocalBrokerOptions options(int nodes, Map<String, String> settings) {
        return options(nodes, 0, heap(), settings);
    }

    /** Returns options of a broker in {@link #folder()} that ends with this process. */
    protected final LocalBrokerOptions options(
            int nodes, int firstPort, @Nullable String heap, Map<String, String> settings) {
        return new LocalBrokerOptions(
                nodes,
                heap,
                settings,
                new Location(HOME, folder(), firstPort, Lifetime.WITH_STARTER),
                System.out::println);
    }

    /** Returns the broker's folder. */
    protected final Path folder() {
        return temp.resolve(localBroker().name());
    }

    /**
     * Returns all ports of a running broker: those of its addresses and, on Linux, all on which its processes listen.
     */
    protected static Set<Integer> ports(RunningBroker broker) throws IOException {
        List<String> addresses = new ArrayList<>(broker.addresses());
        broker.endpoints().values().forEach(addresses::addAll);
        return ports(broker.nodes().stream().map(RunningBroker.Node::pid).toList(), addresses);
    }

    private static Set<Integer> ports(List<Long> pids, List<String> addresses) throws IOException {
        Set<Integer> ports = new HashSet<>();
        addresses.forEach(address -> ports.add(port(address)));
        for (long pid : pids) {
            ports.addAll(IS_LINUX ? ListeningSockets.ports(pid) : List.of());
        }
        return ports;
    }

    /** Returns the port of {@code host:port}. */
    protected static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /**
     * Verifies that a broker has ended, with all its processes, files and ports.
     *
     * @param ports the ports on which it listened
     */
    protected final void assertNothingIsLeft(RunningBroker broker, Collection<Integer> ports) {
        assertThat(broker.nodes())
                .allSatisfy(node -> assertThat(ProcessHandle.of(node.pid())).isEmpty());
        assertThat(folder()).doesNotExist();
        awaitNobodyListens(ports);
        awaitNoProcessNamesTheFolder();
    }

    /** Waits until no process listens on the ports: the system closes the sockets of a killed process with a delay. */
    protected static void awaitNobodyListens(Collection<Integer> ports) {
        assertThat(ports).isNotEmpty();
        for (int port : ports) {
            Patience.await("the end of port " + port)
                    .untilAsserted(() -> assertThatThrownBy(
                                    () -> new Socket(ListenAddress.LOOPBACK.host(), port).close())
                            .isInstanceOf(ConnectException.class));
        }
    }

    /** Waits until no process names the broker's folder, including those that watch a starter. */
    protected final void awaitNoProcessNamesTheFolder() {
        Patience.until(
                "end of all processes that name " + folder(),
                () -> commandLines().findAny().isEmpty());
    }

    /** Waits until the watcher, which ends the broker with its starter, has noticed that this is no longer wanted. */
    protected final void awaitNobodyWatches() {
        Patience.until(
                "end of what watches the starter",
                () -> commandLines().noneMatch(line -> line.contains("starter-watch")));
    }

    /** Returns the command lines that name the broker's folder; some brokers show something else instead. */
    private Stream<String> commandLines() {
        return ProcessHandle.allProcesses()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(line -> line.contains(folder().toString()));
    }
}
