package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ThreadPositionTest {

    private static final long START_NS = 1_700_000_000_123_456_789L;
    private static final Seed SEED = new Seed(42);

    /** Returns a position for each thread of each worker. */
    private static List<ThreadPosition> positions(int... threadsOfWorkers) {
        List<ThreadPosition> positions = new ArrayList<>();
        for (int worker = 0; worker < threadsOfWorkers.length; worker++) {
            for (int thread = 0; thread < threadsOfWorkers[worker]; thread++) {
                positions.add(new ThreadPosition(worker, threadsOfWorkers.length, thread, threadsOfWorkers[worker]));
            }
        }
        return positions;
    }

    /** Returns the first times of a thread, which sends an equal share of its worker's share of a rate. */
    private static List<Long> times(ArrivalProcess arrivals, ThreadPosition position, double rateOfAllMsgPerSec) {
        RateProfile ofWorker = RateProfile.steady(rateOfAllMsgPerSec / position.workers());
        Schedule schedule = Schedule.of(arrivals, START_NS, ofWorker, 1.0 / position.threads(), position, SEED);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            times.add(schedule.next());
            schedule.advance();
        }
        return times;
    }

    static Stream<Arguments> workers() {
        return Stream.of(new int[] {1}, new int[] {4}, new int[] {1, 1}, new int[] {2, 2, 2}, new int[] {2, 3, 1})
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("workers")
    void theMessagesOfAllWorkersTogetherComeAtEvenDistances(int[] threadsOfWorkers) {
        List<ThreadPosition> positions = positions(threadsOfWorkers);
        List<Long> all = new ArrayList<>();
        long endNs = Long.MAX_VALUE;
        for (ThreadPosition position : positions) {
            List<Long> times = times(ArrivalProcess.CONSTANT, position, 1000);
            all.addAll(times);
            endNs = Math.min(endNs, times.get(times.size() - 1));
        }
        Collections.sort(all);
        assertThat(all.get(0)).isEqualTo(START_NS);
        for (int i = 1; all.get(i) < endNs; i++) {
            assertThat(all.get(i) - START_NS).as("message %d", i).isBetween(i * 1_000_000L - 1, i * 1_000_000L + 1);
        }
    }

    @ParameterizedTest
    @MethodSource("workers")
    void noThreadOfAnyWorkerHasTheTimesOfAnother(int[] threadsOfWorkers) {
        List<ThreadPosition> positions = positions(threadsOfWorkers);
        assertThat(positions.stream().map(position -> times(ArrivalProcess.POISSON, position, 1000)))
                .doesNotHaveDuplicates()
                .hasSize(positions.size());
        assertThat(positions.stream().map(position -> position.seed(SEED))).doesNotHaveDuplicates();
    }

    @Test
    void aThreadOfTheOnlyWorkerHasThatPartOfTheSeed() {
        assertThat(new ThreadPosition(0, 1, 3, 4).seed(SEED)).isEqualTo(SEED.part(3));
    }

    @Test
    void threadsShareWhatTheirWorkerHas() {
        assertThat(positions(3).stream().map(position -> position.first(7))).containsExactly(0, 2, 4);
        assertThat(positions(3).stream().map(position -> position.end(7))).containsExactly(2, 4, 7);
    }

    @Test
    void withoutARateToStartWithNobodyWaitsForATurn() {
        ThreadPosition second = new ThreadPosition(1, 2, 1, 2);
        assertThat(second.offsetNs(0)).isZero();
        assertThat(second.offsetNs(Double.POSITIVE_INFINITY)).isZero();
    }
}
