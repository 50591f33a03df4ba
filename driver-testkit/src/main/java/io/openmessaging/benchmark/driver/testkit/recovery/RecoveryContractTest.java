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
 * What a driver owes to a run whose broker crashes and comes back, or loses one of several nodes: producers and consumers go
 * on by themselves, every message has one answer and every failure a reason, and what was acknowledged arrives.
 *
 * @param <C> the driver's configuration record
 */
@LongSuite("kills brokers of its own, and nodes of a cluster")
public abstract class RecoveryContractTest<C extends Record> {

    /** Some seconds of them: RabbitMQ 3.10.8 forgets a quorum queue or stream that it was told to create just before. */
    private static final int MESSAGES_BEFORE = 800;

    private static final int MESSAGES_AFTER = 200;
    private static final int LOG_LINES = 200;

    /** The driver under test. */
    protected abstract BenchmarkDriver<C> driver();

    /** Starts a broker for this test alone. */
    protected abstract TestBroker<C> startBroker();

    /** By name, configurations with which no acknowledged message is lost when the broker is killed. */
    protected abstract Map<String, C> configs(TestBroker<C> broker);

    /** Guards against hangs: a broker is started and clients connect again before what is awaited comes. */
    protected Duration limit() {
        return Patience.LIMIT.multipliedBy(2);
    }

    /** The limit for the driver's calls; {@link #limit()} unless overridden. */
    protected Duration callLimit() {
        return limit();
    }

    /** Starts a cluster that can do without one node; empty unless overridden, where there is none for tests. */
    protected Optional<TestBroker<C>> startCluster() {
        return Optional.empty();
    }

    /** By name, configurations for that cluster; those for one node unless overridden. */
    protected Map<String, C> clusterConfigs(TestBroker<C> cluster) {
        return configs(cluster);
    }

    /** The one of its nodes that it loses; the last one unless overridden. */
    protected String nodeToLose(List<String> nodes) {
        return nodes.get(nodes.size() - 1);
    }

    /** What happens to the nodes while messages are sent. */
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
        for (RecoveryFlow flow : flows) {
            flow.end();
            flow.isAccountedFor();
        }
    }

    /** They go with the broker. */
    private static void printLogs(RunningBroker broker) throws IOException {
        for (RunningBroker.Node node : broker.nodes()) {
            List<String> lines = Files.readAllLines(node.log());
            System.out.println("log of " + node.name() + ":");
            lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()).forEach(System.out::println);
        }
    }

    /** What is closed, and tells its figures, however the test ends. */
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
