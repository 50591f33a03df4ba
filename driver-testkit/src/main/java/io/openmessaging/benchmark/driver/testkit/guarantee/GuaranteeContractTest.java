package io.openmessaging.benchmark.driver.testkit.guarantee;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.Guarantee;
import io.openmessaging.benchmark.driver.Guarantee.Storage;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedPayload;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the guarantee that a driver reports with the syncs of the system's processes. If the guarantee says that
 * each acknowledged message is on a disk, there must be a sync for each message that is sent after the previous one was
 * acknowledged; otherwise, there must be hardly any.
 *
 * @param <C> the driver's configuration record
 */
@LongSuite("starts a broker for each setup and traces its syncs")
public abstract class GuaranteeContractTest<C extends Record> {

    private static final int WARM_UP = 20;
    private static final int MESSAGES = 200;

    /**
     * Largest number of syncs for the system's own purposes, such as positions of consumers, while that many messages
     * are sent.
     */
    private static final int OTHER_SYNCS_MAX = MESSAGES / 2;

    private static final Set<Storage> EACH_SYNCED = EnumSet.of(Storage.SYNCED, Storage.SYNCED_ONCE);

    private static final int PAYLOAD_BYTES = 100;

    /** The folder for the trace that is counted. */
    @TempDir
    Path folder;

    /**
     * A configuration and the guarantee that it must report.
     *
     * @param setup setup of the broker
     * @param config configuration of the driver
     * @param copies number of copies of a message
     * @param storage location of the copies when the message is acknowledged
     */
    public record Case<C>(TestBroker.Setup setup, C config, int copies, Storage storage) {}

    protected abstract BenchmarkDriver<C> driver();

    /** Returns the broker to start. */
    protected abstract LocalBroker localBroker();

    /** Returns the cases to test; consecutive cases with the same setup share a broker. */
    protected abstract List<Case<C>> cases();

    @Test
    void thereAreAsManySyncsAsTheGuaranteeSays() throws Exception {
        @Nullable TestBroker<C> broker = null;
        TestBroker.@Nullable Setup running = null;
        try {
            for (Case<C> one : cases()) {
                if (broker == null || !one.setup().equals(running)) {
                    if (broker != null) {
                        broker.close();
                    }
                    broker = TestBroker.start(driver(), localBroker(), one.setup());
                    running = one.setup();
                }
                check(broker, one);
            }
        } finally {
            if (broker != null) {
                broker.close();
            }
        }
    }

    private void check(TestBroker<C> broker, Case<C> one) throws Exception {
        try (DriverSession session = DriverSession.open(driver(), broker.reach(one.config()), Patience.LIMIT)) {
            Guarantee guarantee = Objects.requireNonNull(
                    session.connection().describeBroker().guarantee(), "a driver says what its system promises");
            assertThat(guarantee.storage()).as(one.toString()).isEqualTo(one.storage());
            assertThat(guarantee.copies()).as(one.toString()).isEqualTo(one.copies());
            TopicSpec topic = session.topic(1);
            session.consumer(topic, "s", new RecordingListener());
            BenchmarkProducer producer = session.producer(topic);
            sendOneByOne(producer, WARM_UP);
            List<Long> pids = broker.broker().nodes().stream()
                    .map(RunningBroker.Node::pid)
                    .toList();
            String home = Objects.requireNonNull(System.getProperty("benchmark.home"), "benchmark.home");
            boolean eachSynced = EACH_SYNCED.contains(guarantee.storage());
            int syncs;
            try (SyncCounter counter = SyncCounter.attach(Path.of(home), folder, pids)) {
                sendOneByOne(producer, MESSAGES);
                syncs = counter.count();
                if (!eachSynced && syncs > OTHER_SYNCS_MAX) {
                    syncs = counter.countBeyondIdle();
                }
            }
            System.out.println(
                    "guarantee: " + guarantee.inWords() + ": " + syncs + " syncs for " + MESSAGES + " messages");
            if (eachSynced) {
                assertThat(syncs).as("syncs of " + one).isGreaterThanOrEqualTo(MESSAGES);
            } else {
                assertThat(syncs).as("syncs of " + one).isLessThanOrEqualTo(OTHER_SYNCS_MAX);
            }
        }
    }

    private static void sendOneByOne(BenchmarkProducer producer, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            RecordingCallback callback = new RecordingCallback("message " + i);
            producer.send(null, NumberedPayload.of(i, PAYLOAD_BYTES), callback);
            callback.awaitAcknowledged(Patience.LIMIT);
        }
    }
}
