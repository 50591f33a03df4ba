package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.load.ArrivalProcess;
import io.openmessaging.benchmark.load.KeyDistribution;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.load.PayloadSpec;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.load.Seed;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.protocol.ClientOptions;
import io.openmessaging.benchmark.worker.protocol.MessagePlan;
import io.openmessaging.benchmark.worker.protocol.Placement;
import io.openmessaging.benchmark.worker.protocol.RemoteWorker;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Topology;
import io.openmessaging.benchmark.worker.protocol.Wire;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.remote.WorkerCalls.Reply;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of single requests and answers change nothing in the reports of a run. */
@ExtendWith(ServedResolver.class)
class DisturbedRunTest {

    private static final int MESSAGES = 500;

    private final Served served;
    private final FakeSystem system = new FakeSystem();

    DisturbedRunTest(Served served) {
        this.served = served;
    }

    /** A disturbance of a request or of its answer. */
    enum Disturbance {
        NONE,
        REQUEST_DROPPED,
        ANSWER_DROPPED,
        DOUBLED,
        OLD_ONE_COMES_LATE,
        ANYTHING
    }

    /** Disturbs each request once, in one way, before it lets it through. */
    private static final class DisturbedLine implements RunExchange.Line {

        private record Sent(String path, byte[] body) {}

        private final Disturbance kind;
        private final ClaimedWorker worker;
        private final WorkerCalls calls = new WorkerCalls("test", null, WorkerTimeouts.defaults());
        private final Random random = new Random(7);
        private final List<Sent> sent = new ArrayList<>();

        DisturbedLine(Disturbance kind, ClaimedWorker worker) {
            this.kind = kind;
            this.worker = worker;
        }

        @Override
        public CompletableFuture<Reply> send(String method, String path, byte[] body) {
            boolean fresh = sent.isEmpty() || !sent.get(sent.size() - 1).path.equals(path);
            try {
                if (fresh) {
                    disturb(kind == Disturbance.ANYTHING ? any() : kind, new Sent(path, body));
                }
                return CompletableFuture.completedFuture(send(new Sent(path, body)));
            } catch (IOException | InterruptedException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private Disturbance any() {
            return Disturbance.values()[random.nextInt(Disturbance.values().length - 1)];
        }

        private void disturb(Disturbance how, Sent request) throws IOException, InterruptedException {
            int before = sent.size();
            sent.add(request);
            switch (how) {
                case REQUEST_DROPPED -> throw new IOException("dropped");
                case ANSWER_DROPPED -> {
                    send(request);
                    throw new IOException("dropped");
                }
                case DOUBLED -> send(request);
                case OLD_ONE_COMES_LATE -> {
                    send(request);
                    for (Sent old : sent.subList(Math.max(0, before - 3), before)) {
                        send(old);
                    }
                }
                default -> {}
            }
        }

        private Reply send(Sent request) throws IOException, InterruptedException {
            return calls.post(worker.url(), request.path, worker.session(), request.body);
        }
    }

    /** The reports of a run, without times. */
    private record Reported(List<Totals> periods, Totals totals, String audit) {}

    private static RunDescription run() {
        Topology topology = new Topology("run1", 2, 3, 2, 2, 1);
        MessagePlan messages = new MessagePlan(
                MessageHeader.Layout.FULL, PayloadSpec.text(100), KeyDistribution.NO_KEY, ArrivalProcess.CONSTANT);
        return new RunDescription(
                TestDrivers.DESCRIPTION,
                topology,
                messages,
                ClientOptions.plain(Patience.LIMIT),
                new Seed(77),
                Duration.ZERO,
                Placement.alone());
    }

    private static Reported conduct(Worker worker) throws Exception {
        List<Totals> periods = new ArrayList<>();
        worker.prepare(new Worker.Prepare(run(), 2, 1));
        for (int load = 1; load <= 2; load++) {
            worker.start(new Worker.Start(load, 0, RateProfile.steady(Double.POSITIVE_INFINITY), MESSAGES));
            Patience.until("the load is finished", () -> worker.status().load().finished());
            worker.stop(new Worker.Stop(false));
            periods.add(worker.period(load).seen().totals());
        }
        Totals totals = worker.status().totals();
        AuditPart audit = worker.finish();
        worker.close();
        return new Reported(periods, totals, new String(Wire.write(audit), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource(Disturbance.class)
    void aRunIsTheSameWhateverBecomesOfItsRequests(Disturbance kind) throws Exception {
        ClaimedWorker worker = served.claim(
                        null,
                        served.server(TestDrivers.worker(system, new EpochClock()), null, ServerCaps.defaults())
                                .url())
                .all()
                .get(0);
        RunExchange run = new RunExchange(worker, new DisturbedLine(kind, worker), 1, Optional::empty, Optional::empty);

        Reported disturbed = conduct(new RemoteWorker(Served.waiting(run)));

        Reported undisturbed;
        try (Worker local = TestDrivers.worker(new FakeSystem(), new EpochClock())) {
            undisturbed = conduct(local);
        }
        assertThat(disturbed).isEqualTo(undisturbed);
        assertThat(disturbed.totals.sent()).isEqualTo(2 * MESSAGES);
        assertThat(system.count(Call.CREATE_PRODUCERS)).isEqualTo(1);
        assertThat(system.count(Call.CLOSE)).isEqualTo(1);
        assertThat(system.sent()).isEqualTo(2 * MESSAGES);
    }
}
