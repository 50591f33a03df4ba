package io.openmessaging.benchmark.worker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.suite.Smoke;
import io.openmessaging.benchmark.worker.WorkerContractTest;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Tests of workers that act as one, although their clocks are ten seconds apart and they are reached through bytes.
 */
abstract class GroupContractTest extends WorkerContractTest {

    private final int workers;

    GroupContractTest(int workers) {
        this(workers, UnaryOperator.identity());
    }

    /** Puts a layer between the group and each of its workers. */
    GroupContractTest(int workers, UnaryOperator<Worker> way) {
        super((system, clock) -> new Group(
                TestMember.of(workers, system, clock, way),
                Roles.MIXED,
                false,
                clock,
                TestMember.TIMING,
                progress -> {}));
        this.workers = workers;
    }

    @Override
    protected int workers() {
        return workers;
    }

    @Test
    @Smoke
    void latenciesAreRightHoweverFarApartTheClocksOfWorkersAre() throws Exception {
        worker.prepare(everybody(run(topology(2, 1, 3, 2))));
        long beginNs = clock.getAsLong();
        worker.start(new Worker.Start(1, 0, RateProfile.steady(Double.POSITIVE_INFINITY), 600));
        await("all has arrived", () -> worker.status().totals().received().equals(List.of(600L, 600L)));
        double tookNs = clock.getAsLong() - beginNs;
        PeriodSnapshot seen = worker.period(1).seen();
        for (Latency latency : List.of(Latency.END_TO_END, Latency.SCHEDULED_END_TO_END)) {
            LatencySnapshot all = seen.latency(latency);
            assertThat(all.count()).isEqualTo(1200);
            assertThat(all.negativeCount()).isZero();
            assertThat(all.summary().maxNs() / tookNs)
                    .as("share of the time since the first was sent, rounded up to a bucket")
                    .isLessThan(1.01);
            long control = seen.control(latency).count();
            assertThat(control).isBetween(workers == 1 ? 0L : 1L, workers == 1 ? 0L : 1199L);
        }
        assertThat(seen.counts().impossible()).isZero();
    }

    /** Expects the name of the worker before the sentence. */
    @Override
    protected String told(String sentence) {
        return " (test): " + sentence;
    }
}
