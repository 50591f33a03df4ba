package io.openmessaging.benchmark.coordinator.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.FaultMeans.FaultException;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.SystemControl;
import io.openmessaging.benchmark.worker.protocol.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Measurements that end while a fault is in progress. */
class FaultInjectorTest {

    private static final Fault FAULT = new Fault(
            Duration.ZERO, null, null, "all", null, null, null, null, null, null, null, Duration.ofMinutes(1));

    private static final Fault LATER = new Fault(
            Duration.ofMinutes(2), null, null, "all", null, null, null, null, null, null, null, Duration.ofMinutes(1));

    private final Queue<String> done = new ConcurrentLinkedQueue<>();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final Thread test = Thread.currentThread();

    /** A system that receives no requests. */
    private static final class Silent implements SystemControl {

        @Override
        public BrokerDescription connect(String runId, Duration timeout, Consumer<String> waits) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void createTopics(List<TopicSpec> topics) {}

        @Override
        public List<List<String>> leaders(List<TopicSpec> topics) {
            return List.of();
        }

        @Override
        public Optional<Reading> read(List<ConsumerSpec> readers) {
            return Optional.empty();
        }

        @Override
        public void deleteTopics(List<TopicSpec> topics) {}

        @Override
        public void close() {}
    }

    /** A fault that ends only once somebody waits for its end, and that reports whether it was hurried. */
    private final class Slow implements FaultMeans.Begun {

        @Override
        public String what() {
            return "paused all";
        }

        @Override
        public void undo() {
            reached.countDown();
            Patience.until("the wait for the end", () -> test.getState() == Thread.State.TIMED_WAITING);
            done.add(Thread.interrupted() ? "hurried" : "undone");
        }
    }

    private FaultInjector injector(FaultMeans means) {
        return injector(List.of(FAULT), means);
    }

    private static FaultInjector injector(List<Fault> faults, FaultMeans means) {
        return new FaultInjector(
                faults, means, new Silent(), new Topology("run", 1, 1, 1, 1, 1), System::nanoTime, Map::of);
    }

    /** As when undoing the first one took so long that the second one was not reached. */
    @Test
    void aFaultThatWasNotReachedIsTold() throws Exception {
        FaultInjector injector = injector(List.of(FAULT, LATER), (fault, leader) -> {
            reached.countDown();
            return new Slow();
        });
        injector.begin();
        Patience.await("the first fault", reached);
        List<Event> events = injector.end();
        assertThat(events).hasSize(2);
        assertThat(events.get(0).problem()).isNull();
        assertThat(events.get(1).what()).isEqualTo("paused all");
        assertThat(events.get(1).problem()).isEqualTo("the measurement ended before it started");
    }

    @Test
    void aMeasurementThatEndsBeforeItsFirstFaultHadNone() throws Exception {
        FaultInjector injector = injector(List.of(LATER), (fault, leader) -> new Slow());
        injector.begin();
        assertThat(injector.end()).isEmpty();
    }

    @Test
    void aFaultThatGoesOnIsTakenBackAndKept() throws Exception {
        FaultInjector injector = injector((fault, leader) -> {
            reached.countDown();
            return new Slow();
        });
        injector.begin();
        Patience.await("the fault", reached);
        List<Event> events = injector.end();
        assertThat(done).containsExactly("undone");
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.what()).isEqualTo("paused all");
            assertThat(event.problem()).isNull();
        });
    }

    @Test
    void aFaultThatBeginsIsInterruptedAndKept() throws Exception {
        FaultInjector injector = injector((fault, leader) -> {
            reached.countDown();
            new CountDownLatch(1).await();
            throw new FaultException("not interrupted");
        });
        injector.begin();
        Patience.await("the fault", reached);
        List<Event> events = injector.end();
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.what()).isEqualTo("paused all");
            assertThat(event.problem())
                    .isEqualTo("the measurement ended while the fault was being injected, and the fault was undone");
        });
    }

    @Test
    void aFaultThatIsBeingTakenBackIsNotHurried() throws Exception {
        Fault shortOne = new Fault(
                Duration.ZERO, null, null, "all", null, null, null, null, null, null, null, Duration.ofMillis(100));
        FaultInjector injector = injector(List.of(shortOne), (fault, leader) -> new Slow());
        injector.begin();
        Patience.await("the fault", reached);
        assertThat(injector.end()).hasSize(1);
        assertThat(done).containsExactly("undone");
    }
}
