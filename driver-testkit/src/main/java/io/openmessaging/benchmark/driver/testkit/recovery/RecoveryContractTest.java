package io.openmessaging.benchmark.driver.testkit.recovery;

import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Tests that a driver survives a broker that crashes and comes back, or that loses one of several nodes: producers and
 * consumers continue by themselves, every message has one answer and every failure a reason, and acknowledged messages
 * arrive.
 *
 * @param <C> the driver's configuration record
 */
@LongSuite("kills brokers of its own, and nodes of a cluster")
public abstract class RecoveryContractTest<C extends Record> {

    /**
     * Several seconds' worth: RabbitMQ 3.10.8 forgets a quorum queue or stream that was created just before the crash.
     */
    private static final int MESSAGES_BEFORE = 800;

    private static final int MESSAGES_AFTER = 200;
    private static final int LOG_LINES = 200;

    protected abstract BenchmarkDriver<C> driver();

    /** Starts a broker for this test alone. */
    protected abstract TestBroker<C> startBroker();

    /** Returns configurations by name, with which no acknowledged message is lost when the broker is killed. */
    protected abstract Map<String, C> configs(TestBroker<C> broker);

    /**
     * Guards against hangs: the broker has to restart and clients have to reconnect before the awaited messages arrive.
     */
    protected Duration limit() {
        return Patience.LIMIT.multipliedBy(2);
    }

    /** Returns the limit for the driver's calls; {@link #limit()} unless overridden. */
    protected Duration callLimit() {
        return limit();
    }

    /** Starts a cluster that can lose one node; empty, for no cluster to test, unless overridden. */
    protected Optional<TestBroker<C>> startCluster() {
        return Optional.empty();
    }

    /** Returns configurations for that cluster by name; those for one node unless overridden. */
    protected Map<String, C> clusterConfigs(TestBroker<C> cluster) {
        return configs(cluster);
    }

    /** Returns the node that the cluster loses; the last one unless overridden. */
    protected String nodeToLose(List<String> nodes) {
        return nodes.get(nodes.size() - 1);
    }

    /** A crash of the nodes while messages are sent. */
    @FunctionalInterface
    private interface Crash {

        void of(RunningBroker broker, List<String> nodes) throws Exception;
    }

    @Test
    void clientsGoOnWhenTheirBrokerWasKilledAndCameBack() throws Exception {
        try (TestBroker<C> broker = startBroker()) {
            crashWhileSending(broker, configs(broker), (running, nodes) -> {
                nodes.forEach(running::kill);
                for (String node : nodes) {
                    running.startAgain(node);
                }
            });
        }
    }

    @Test
    void clientsGoOnWithoutANodeOfTheirCluster() throws Exception {
        TestBroker<C> started =
                startCluster().orElseThrow(() -> new TestAbortedException("there is no cluster for tests"));
        try (TestBroker<C> cluster = started) {
            crashWhileSending(cluster, clusterConfigs(cluster), (running, nodes) -> running.kill(nodeToLose(nodes)));
        }
    }

    private void crashWhileSending(TestBroker<C> broker, Map<String, C> configs, Crash crash) throws Exception {
        try (Flows flows = new Flows()) {
            for (Map.Entry<String, C> config : configs.entrySet()) {
                DriverSession session = DriverSession.open(driver(), config.getValue(), callLimit());
                flows.add(new RecoveryFlow(config.getKey(), session, broker.broker(), limit()));
            }
            try {
                crashWhileSending(broker.broker(), flows.all, crash);
            } catch (Throwable e) {
                printLogs(broker.broker());
                throw e;
            }
        }
    }

    private static void crashWhileSending(RunningBroker broker, List<RecoveryFlow> flows, Crash crash)
            throws Exception {
        for (RecoveryFlow flow : flows) {
            flow.awaitThrough(0, MESSAGES_BEFORE);
        }
        List<String> nodes =
                broker.nodes().stream().map(RunningBroker.Node::name).toList();
        crash.of(broker, nodes);
        int[] sent = flows.stream().mapToInt(RecoveryFlow::sentCount).toArray();
        for (int i = 0; i < sent.length; i++) {
            flows.get(i).awaitThrough(sent[i], MESSAGES_AFTER);
        }
        for (int i = 0; i < sent.length; i++) {
            flows.get(i).end(sent[i]);
            flows.get(i).isAccountedFor();
        }
    }

    /** Prints the ends of the logs, which are removed with the broker. */
    private static void printLogs(RunningBroker broker) throws IOException {
        for (RunningBroker.Node node : broker.nodes()) {
            List<String> lines = Files.readAllLines(node.log());
            System.out.println("log of " + node.name() + ":");
            lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()).forEach(System.out::println);
        }
    }

    /** The flows of a test; prints the figures of each and closes it, however the test ends. */
    private static final class Flows implements AutoCloseable {

        private final List<RecoveryFlow> all = new ArrayList<>();

        void add(RecoveryFlow flow) {
            all.add(flow);
        }

        @Override
        public void close() throws DriverException {
            DriverException failure = null;
            for (RecoveryFlow flow : all) {
                System.out.println(flow.describe());
                try {
                    flow.close();
                } catch (DriverException e) {
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
