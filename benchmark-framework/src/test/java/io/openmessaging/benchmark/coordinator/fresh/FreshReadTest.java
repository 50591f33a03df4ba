package io.openmessaging.benchmark.coordinator.fresh;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditFixture;
import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.coordinator.ModelWorker;
import io.openmessaging.benchmark.coordinator.Requests;
import io.openmessaging.benchmark.coordinator.VirtualTime;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.BrokerDescription;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.SystemControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The search for missing messages with a fresh consumer, in virtual time. */
class FreshReadTest {

    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final AuditPart.ArrivalCounts NOTHING = AuditFixture.arrivals("", 0, 0, 0, 0);

    private final VirtualTime time = new VirtualTime();
    private final StopSignal stop = new StopSignal();
    private final ScriptedSystem system = new ScriptedSystem();
    private Optional<String> brokerFailure = Optional.empty();
    private String messageSize = "messageSize: 100";
    private @Nullable RunSession session;

    /** Reads when the last 20 of 100 messages have not arrived. */
    private @Nullable AuditPart read() throws InterruptedException {
        return read(80);
    }

    private @Nullable AuditPart read(long arrived) throws InterruptedException {
        RunTimeouts standard = RunTimeouts.standard();
        RunTimeouts timeouts = new RunTimeouts(
                standard.controlCall(), standard.readiness(), QUIET, LIMIT, standard.backlog(), standard.tick());
        RunRequest request = Requests.request(timeouts, () -> brokerFailure, messageSize);
        RunRequest.SystemUnderTest described = request.system();
        request = Requests.of(
                request,
                new RunRequest.SystemUnderTest(
                        described.driver(), system, described.shown(), described.localBroker(), described.broker()));
        RunSession opened = new RunSession(request, new ModelWorker(time), stop, RunListener.silent(), time, time);
        session = opened;
        String topic = opened.topology.topic(0).name();
        AuditPart part = new AuditPart(
                List.of(AuditFixture.dispatches(100, 0, 0)), List.of(AuditFixture.arrivals(topic, 0, 0, arrived, 0)));
        return new FreshRead(opened).found(part);
    }

    private List<String> notes() {
        return session == null
                ? List.of()
                : session.recording.notes().stream().map(Finding::kind).toList();
    }

    private static AuditPart.ArrivalCounts only(@Nullable AuditPart found) {
        assertThat(found).isNotNull();
        return found.arrivals().get(0);
    }

    @Test
    void itEndsWhenEverythingIsFound() throws Exception {
        system.onRead = () -> system.give(0, 100);

        assertThat(only(read()).arrivedOf())
                .isEqualTo(AuditFixture.arrivals("", 0, 80, 20, 0).arrivedOf());
        assertThat(time.passed()).isZero();
        assertThat(system.closed).isEqualTo(1);
        assertThat(notes()).isEmpty();
    }

    @Test
    void nobodyReadsIfNothingIsMissing() throws Exception {
        assertThat(read(100)).isNull();
        assertThat(system.readers).isEmpty();
    }

    @Test
    void aSystemThatKeepsNothingIsNotRead() throws Exception {
        system.keeps = false;

        assertThat(read()).isNull();
        assertThat(notes()).isEmpty();
    }

    @Test
    void shortHeadersAreNotEnough() throws Exception {
        messageSize = "messageSize: 20";

        assertThat(read()).isNull();
        assertThat(system.readers).isEmpty();
    }

    @Test
    void aBrokerThatIsGoneIsNotRead() throws Exception {
        brokerFailure = Optional.of("dead");

        assertThat(read()).isNull();
        assertThat(system.readers).isEmpty();
    }

    @Test
    void itEndsWhenNothingHasComeForAWhile() throws Exception {
        system.onRead = () -> system.give(0, 50);
        time.at(Duration.ofSeconds(7), () -> system.give(50, 85));

        assertThat(only(read()).arrivedOf())
                .isEqualTo(AuditFixture.arrivals("", 0, 80, 5, 0).arrivedOf());
        assertThat(time.passed()).isBetween(Duration.ofSeconds(17), Duration.ofSeconds(18));
        assertThat(notes()).isEmpty();
        assertThat(system.closed).isEqualTo(1);
    }

    @Test
    void itEndsAlthoughMessagesKeepComing() throws Exception {
        for (int s = 1; s < 300; s++) {
            time.at(Duration.ofSeconds(s), () -> system.give(0, 80));
        }

        assertThat(only(read()).arrivedOf()).isEqualTo(NOTHING.arrivedOf());
        assertThat(time.passed()).isBetween(LIMIT, LIMIT.plusSeconds(1));
        assertThat(notes()).containsExactly("FreshReadCut");
        assertThat(system.closed).isEqualTo(1);
    }

    @Test
    void aRefusalIsNoted() throws Exception {
        system.refusal = new DriverException("no permission");

        assertThat(read()).isNull();
        assertThat(notes()).containsExactly("FreshReadFailed");
    }

    @Test
    void aDefectOfTheDriverIsNoted() throws Exception {
        system.defect = new IllegalStateException("broken");

        assertThat(read()).isNull();
        assertThat(notes()).containsExactly("FreshReadFailed");
    }

    @Test
    void errorsOnTheWayAreNotedAndWhatWasFoundStays() throws Exception {
        system.onRead = () -> system.give(0, 90);
        system.problem = "consumer poll: reset";

        assertThat(only(read()).arrivedOf())
                .isEqualTo(AuditFixture.arrivals("", 0, 80, 10, 0).arrivedOf());
        assertThat(notes()).containsExactly("FreshReadDisturbed");
    }

    @Test
    void aCloseThatFailsIsOnlyLogged() throws Exception {
        system.onRead = () -> system.give(0, 100);
        system.failsToClose = true;

        assertThat(read()).isNotNull();
        assertThat(notes()).isEmpty();
    }

    @Test
    void whoeverWantsToStopDoesNotWaitForIt() throws Exception {
        time.at(Duration.ofSeconds(3), stop::request);

        assertThat(read()).isNotNull();
        assertThat(time.passed()).isLessThan(Duration.ofSeconds(4));
        assertThat(system.closed).isEqualTo(1);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void afterTheWishToStopItDoesNotBegin() throws Exception {
        stop.request();

        assertThat(read()).isNull();
        assertThat(system.readers).isEmpty();
    }

    @Test
    void aStrangersMessageIsNotFound() throws Exception {
        system.onRead = () -> system.readers.forEach(reader -> reader.listener().received(null, new byte[100], 0));

        assertThat(only(read()).arrivedOf()).isEqualTo(NOTHING.arrivedOf());
    }

    /** A system that gives its readers what a test specifies. */
    private final class ScriptedSystem implements SystemControl {

        private final List<ConsumerSpec> readers = new ArrayList<>();
        private boolean keeps = true;
        private boolean failsToClose;
        private Runnable onRead = () -> {};
        private @Nullable DriverException refusal;
        private @Nullable RuntimeException defect;
        private @Nullable String problem;
        private int closed;

        void give(long from, long to) {
            int runTag = session == null ? 0 : session.description.runTag();
            for (long sequence = from; sequence < to; sequence++) {
                byte[] payload = new byte[100];
                MessageHeader.writeFull(payload, runTag, 0, sequence, 0, 0);
                readers.forEach(reader -> reader.listener().received(null, payload, 0));
            }
        }

        @Override
        public Optional<Reading> read(List<ConsumerSpec> wanted) throws DriverException {
            if (refusal != null) {
                throw refusal;
            }
            if (defect != null) {
                throw defect;
            }
            readers.addAll(wanted);
            onRead.run();
            return keeps ? Optional.of(new ScriptedReading()) : Optional.empty();
        }

        private final class ScriptedReading implements Reading {

            @Override
            public Optional<String> problem() {
                return Optional.ofNullable(problem);
            }

            @Override
            public void close() throws DriverException {
                closed++;
                if (failsToClose) {
                    throw new DriverException("stuck");
                }
            }
        }

        @Override
        public BrokerDescription connect(String runId, Duration timeout, Consumer<String> waits) {
            throw new AssertionError("is connected already");
        }

        @Override
        public void createTopics(List<TopicSpec> topics) {
            throw new AssertionError("topics are there already");
        }

        @Override
        public List<List<String>> leaders(List<TopicSpec> topics) {
            return List.of();
        }

        @Override
        public void deleteTopics(List<TopicSpec> topics) {
            throw new AssertionError("comes later");
        }

        @Override
        public void close() {
            throw new AssertionError("comes later");
        }
    }
}
