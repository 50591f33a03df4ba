package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditReport;
import io.openmessaging.benchmark.config.Fault;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.FaultMeans;
import io.openmessaging.benchmark.run.Limits;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole runs in real time with a system that does not deliver for a while. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class FreshReadRunTest {

    private static final Limits LIMITS = new Limits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofMillis(20));

    private final FakeSystem system = new FakeSystem();
    private final AtomicLong undelivered = new AtomicLong();

    /** Messages are acknowledged and not delivered. */
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
                system.deliver(copy -> 1);
            }
        };
    }

    private RunResult run() {
        EpochClock clock = new EpochClock();
        RunRequest request = Requests.withFaults(
                Requests.request(
                        LIMITS,
                        "producerRate: 500",
                        "subscriptionsPerTopic: 2",
                        "testDuration: 2s",
                        "warmupDuration: 0s",
                        "faults: [{at: 500ms, run: x, undo: y, for: 500ms}]"),
                this::mute);
        return Requests.run(
                request,
                TestDrivers.worker(system, clock),
                TestDrivers.control(system),
                new StopSignal(),
                RunListener.silent(),
                clock);
    }

    private static FaultOutcome.Messages messages(RunResult result) {
        return Objects.requireNonNull(result.course().faults()).faults().get(0).messages();
    }

    private static List<String> kinds(RunResult result) {
        return result.findings().stream().map(Finding::kind).toList();
    }

    @Test
    void whatASystemHasAndDoesNotDeliverIsFound() {
        system.keep(number -> true);
        RunResult result = run();

        FaultOutcome.Messages messages = messages(result);
        assertThat(messages.foundAnew()).isEqualTo(undelivered.get()).isPositive();
        assertThat(messages.acknowledgedLost()).isZero();
        assertThat(messages.undelivered()).isEqualTo(undelivered.get());
        assertThat(kinds(result)).contains("NotDelivered").doesNotContain("AcknowledgedLost", "MessagesLost");
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
        assertThat(kinds(result)).contains("NotDelivered", "AcknowledgedLost");
    }

    @Test
    void withASystemThatKeepsNothingItIsAsBefore() {
        RunResult result = run();

        FaultOutcome.Messages messages = messages(result);
        assertThat(messages.foundAnew()).isNull();
        assertThat(messages.acknowledgedLost()).isEqualTo(undelivered.get()).isPositive();
        assertThat(kinds(result)).contains("AcknowledgedLost").doesNotContain("NotDelivered");
    }
}
