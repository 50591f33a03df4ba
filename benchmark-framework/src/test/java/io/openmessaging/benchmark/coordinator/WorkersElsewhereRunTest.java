package io.openmessaging.benchmark.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.clock.Offset;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.resources.ResourceUse;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunRequest;
import io.openmessaging.benchmark.run.StopSignal;
import io.openmessaging.benchmark.worker.LocalWorker;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.group.Group;
import io.openmessaging.benchmark.worker.group.Member;
import io.openmessaging.benchmark.worker.group.Roles;
import io.openmessaging.benchmark.worker.group.TestMember;
import io.openmessaging.benchmark.worker.protocol.Ceilings;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Results of workers that monitor themselves, as those in other processes do. */
class WorkersElsewhereRunTest {

    private final FakeSystem system = new FakeSystem();
    private final EpochClock clock = new EpochClock();

    private record Here(String name, Exchange worker) implements Member {

        @Override
        public CompletableFuture<WireReply> exchange(Request request, byte[] body) {
            try {
                return CompletableFuture.completedFuture(worker.exchange(request, body));
            } catch (DriverException | InterruptedException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public void giveUp() {
            throw new IllegalStateException("nothing is in flight");
        }

        @Override
        public long roundTripNs() {
            return 0;
        }

        @Override
        public Offset clock() {
            return Offset.NONE;
        }

        @Override
        public String progress() {
            return "";
        }

        @Override
        public Optional<String> lost() {
            return Optional.empty();
        }
    }

    private Member member(String name, Ceilings ceilings) {
        Worker worker = LocalWorker.elsewhere(TestDrivers.drivers(system), clock, ceilings, text -> {});
        return new Here(name, new WorkerEndpoint(() -> worker));
    }

    @Test
    void theResultHasAnEntryForEachInEachPeriodAndJudgesEachByItsOwnCeiling() {
        List<Member> members =
                List.of(member("worker 1 (a)", new Ceilings(1e9, 1, 1)), member("worker 2 (b)", new Ceilings(2, 1, 1)));
        Group group = new Group(members, Roles.MIXED, false, clock, TestMember.TIMING, text -> {});
        RunRequest request = Requests.request(
                WaitedTime.timeouts(Duration.ofSeconds(30)),
                "producerRate: 400",
                "producersPerTopic: 2",
                "warmupDuration: 0s",
                "testDuration: 3s",
                "samplePeriod: 1s",
                "resourcePeriod: 100ms");
        RunResult result = Requests.run(
                request, group, TestDrivers.control(system), new StopSignal(), new RecordingRunListener(), clock);

        assertThat(result.failure()).isNull();
        assertThat(result.periods())
                .hasSizeGreaterThan(1)
                .allSatisfy(period -> assertThat(period.used().uses())
                        .extracting(ResourceUse::name)
                        .containsExactly("worker 1 (a)", "worker 2 (b)"));
        ResourcePeriod used = result.resourceTotal();
        assertThat(used.uses()).allSatisfy(use -> assertThat(use.figures()).containsKey(Figure.CPU_CORE_PERCENT));
        assertThat(used.sum(Role.HARNESS, Figure.LOAD_THREADS_CORE_PERCENT)).isPresent();
        assertThat(result.findings().stream()
                        .filter(finding -> finding.kind().equals("NearHarnessCeiling"))
                        .flatMap(finding -> Stream.of(finding.text().split(":")[0])))
                .as("far more than 2 a second")
                .containsExactly("near the limit of worker 2 (b)");
    }
}
