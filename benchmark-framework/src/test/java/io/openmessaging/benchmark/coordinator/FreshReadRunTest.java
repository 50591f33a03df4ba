package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.RunTimeouts;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole runs with a system that does not deliver for a while. */
@Execution(ExecutionMode.CONCURRENT)
class FreshReadRunTest {

    private static final RunTimeouts TIMEOUTS = WaitedTime.timeouts(Duration.ofSeconds(1));

    /** Undelivered messages to wait for: enough that a tenth of them is still some. */
    private static final int ENOUGH = 100;

    private final FakeSystem system = new FakeSystem();
    private final AtomicLong undelivered = new AtomicLong();
    private final AtomicBoolean deliversAgain = new AtomicBoolean();

    /** Makes the system acknowledge messages without delivering them. */
    private FaultMeans.Begun mute(Fault fault, FaultMeans.Leader leader) {
        system.deliver(copy -> {
            undelivered.addAndGet(copy.isProbe() ? 0 : 1);
            return 0;
        });
        return new FaultMeans.Begun() {
            @Override
            public String what() {
                return "muted";
            }

            @Override
            public void undo() {
                Patience.until("messages are not delivered", () -> undelivered.get() >= ENOUGH);
                system.deliver(copy -> 1);
                deliversAgain.set(true);
            }
        };
    }

    private RunResult run() {
        EpochClock clock = new EpochClock();
        RunRequest request = Requests.withFaults(
                Requests.request(
                        TIMEOUTS,
                        "producerRate: 1000",
                        "subscriptionsPerTopic: 2",
                        "testDuration: 1s",
                        "warmupDuration: 0s",
                        "faults: [{at: 100ms, run: x, undo: y, for: 100ms}]"),
                this::mute);
        // The fault starts and ends within the measurement, however late it starts.
        RunListener untilItDelivers = state -> {
            if (state.phase() == RunPhase.MEASURE && state.left().isPresent()) {
                Patience.until("the fault has ended", deliversAgain::get);
            }
        };
        return Requests.run(
                request,
                TestDrivers.worker(system, clock),
                TestDrivers.control(system),
                new StopSignal(),
                untilItDelivers,
                clock);
    }

    private static FaultOutcome.Messages messages(RunResult result) {
        return Objects.requireNonNull(result.course().faults()).faults().get(0).messages();
    }

    @Test
    void whatASystemHasAndDoesNotDeliverIsFound() {
        system.keep(number -> true);
        RunResult result = run();

        FaultOutcome.Messages messages = messages(result);
        assertThat(messages.foundAnew()).isEqualTo(undelivered.get()).isPositive();
        assertThat(messages.acknowledgedLost()).isZero();
        assertThat(messages.undelivered()).isEqualTo(undelivered.get());
        assertThat(VirtualRun.kinds(result))
                .contains("NotDelivered")
                .doesNotContain("AcknowledgedLost", "MessagesLost");
        AuditReport audit = Objects.requireNonNull(result.audit());
        assertThat(audit.lost()).as("what never arrived at a subscription").isEqualTo(undelivered.get());
        assertThat(system.calls()).containsSubsequence(Call.CREATE_READERS, Call.CLOSE_CONSUMER, Call.DELETE_TOPICS);
        assertThat(system.topics()).isEmpty();
    }

    @Test
    void whatASystemHasNotIsLost() {
        LongPredicate everyTenth = number -> number % 10 == 0;
        system.keep(everyTenth.negate());
        RunResult result = run();

        FaultOutcome.Messages messages = messages(result);
        assertThat(messages.acknowledgedLost()).isBetween(undelivered.get() / 10 - 2, undelivered.get() / 10 + 2);
        assertThat(messages.found() + messages.acknowledgedLost()).isEqualTo(undelivered.get());
        assertThat(VirtualRun.kinds(result)).contains("NotDelivered", "AcknowledgedLost");
    }

    @Test
    void withASystemThatKeepsNothingItIsAsBefore() {
        RunResult result = run();

        FaultOutcome.Messages messages = messages(result);
        assertThat(messages.foundAnew()).isNull();
        assertThat(messages.acknowledgedLost()).isEqualTo(undelivered.get()).isPositive();
        assertThat(VirtualRun.kinds(result)).contains("AcknowledgedLost").doesNotContain("NotDelivered");
    }
}
