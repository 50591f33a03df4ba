package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.measure.Consumed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.console.ConsoleSummary;
import io.openmessaging.benchmark.result.file.ResultJson;
import io.openmessaging.benchmark.run.RunListener;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs without producers, which consume what others have left. */
class ConsumedRunTest {

    private static final TopicSpec ORDERS = new TopicSpec("orders", 1, true);

    private final FakeSystem system = new FakeSystem();

    private RunResult run(String... lines) {
        EpochClock clock = new EpochClock();
        RunRequest request = Requests.request(
                WaitedTime.timeouts(Duration.ofSeconds(5)),
                Stream.concat(
                                Stream.of("producersPerTopic: 0", "testDuration:", "warmupDuration:"),
                                Arrays.stream(lines))
                        .toArray(String[]::new));
        RunRequest controlled = Requests.of(
                request,
                new RunRequest.SystemUnderTest(
                        request.system().driver(),
                        TestDrivers.control(system),
                        request.system().shown(),
                        request.system().localBroker(),
                        request.system().broker()));
        return Requests.run(
                controlled,
                TestDrivers.worker(system, clock),
                TestDrivers.control(system),
                new StopSignal(),
                RunListener.silent(),
                clock);
    }

    private static Consumed consumed(RunResult result) {
        return Objects.requireNonNull(result.course().foreign()).consumed();
    }

    @Test
    void everythingThatIsThereIsConsumedAndNothingIsDeleted() {
        long anHourAgoMs = System.currentTimeMillis() - 3_600_000;
        system.leave(ORDERS, anHourAgoMs, List.of(new byte[10], new byte[20], new byte[90]));
        RunResult result = run("subscriptionsPerTopic: 2", "consumerPerSubscription: 1");

        assertThat(result.failure()).isNull();
        assertThat(LocalRunTest.kinds(result)).isEmpty();
        Consumed consumed = consumed(result);
        assertThat(consumed.messages()).isEqualTo(6);
        assertThat(consumed.bytes()).isEqualTo(240);
        assertThat(consumed.smallestBytes()).isEqualTo(10);
        assertThat(consumed.largestBytes()).isEqualTo(90);
        assertThat(consumed.withoutTime()).isZero();
        assertThat(consumed.ages().summary().minNs()).isGreaterThanOrEqualTo(3_590_000);
        assertThat(Objects.requireNonNull(result.total()).counts().received()).containsExactly(3L, 3L);
        assertThat(result.audit()).isNull();
        assertThat(system.topics()).containsExactly("orders");
        assertThat(system.count(Call.CREATE_PRODUCERS)).isZero();
        assertThat(system.count(Call.DELETE_TOPICS)).isEqualTo(1);
    }

    @Test
    void headlineAndResultSayWhatIsKnownAndWhatNot() {
        system.leave(ORDERS, 0, List.of(new byte[10], new byte[20]));
        RunResult result = run();
        assertThat(ConsoleSummary.render(result, Path.of("r.json")))
                .contains(", not audited")
                .contains("2 messages")
                .contains("15 bytes on average, from 10 to 20")
                .contains("the fake system's clock");
        assertThat(ResultJson.render(result))
                .contains("the fake system's clock", "sinceMessageTime")
                .containsPattern("\"messageSize\"\\s*:\\s*15\\b");
    }

    @Test
    void whereNothingIsThereTheFiguresMeanNothing() {
        system.leave(ORDERS, 0, List.of());
        RunResult result = run();
        assertThat(LocalRunTest.kinds(result)).containsExactly("NothingConsumed");
        assertThat(result.verdict()).isEqualTo(Verdict.INVALID);
    }

    @Test
    void aNumberOfMessagesEndsTheRun() {
        system.leave(ORDERS, 0, List.of(new byte[10], new byte[20]));
        RunResult result = run("messageCount: 2");
        assertThat(LocalRunTest.kinds(result)).isEmpty();
        assertThat(consumed(result).messages()).isEqualTo(2);
    }

    @Test
    void fewerMessagesThanAskedForAreANote() {
        system.leave(ORDERS, 0, List.of(new byte[10], new byte[20]));
        RunResult result = run("messageCount: 3");
        assertThat(LocalRunTest.kinds(result)).containsExactly("FewerConsumed");
        assertThat(consumed(result).messages()).isEqualTo(2);
    }

    @Test
    void aTopicThatIsNotThereFailsTheRun() {
        system.leave(ORDERS, 0, List.of());
        system.vanish("orders");
        RunResult result = run();
        assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(result.failure()).isEqualTo("there is no topic orders");
        assertThat(system.topics()).isEmpty();
    }
}
