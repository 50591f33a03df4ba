package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.openmessaging.benchmark.audit.ProducerAudit;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.load.RateProfile.Segment;
import io.openmessaging.benchmark.measure.Measurements;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares a sending thread with its schedule, second by second, by the times at which messages were really sent. Time
 * passes only by waiting and by sending, so the result depends on the harness alone.
 */
class AchievedRateTest {

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final long SPIN_NS = 100;
    private static final long SEND_NS = 500;
    private static final long PARKS_LATE_NS = 60_000;

    private final AtomicLong virtualNs = new AtomicLong(START_NS);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** A client that counts the messages sent in each second and confirms them at once. */
    private final class Counting implements BenchmarkProducer {

        final long[] counts;

        Counting(int seconds) {
            counts = new long[seconds + 1];
        }

        @Override
        public void send(@Nullable String key, byte[] payload, SendCallback callback) {
            long second = (MessageHeader.sentNs(payload) - START_NS) / SECOND_NS;
            counts[(int) Math.min(second, counts.length - 1)]++;
            virtualNs.addAndGet(SEND_NS);
            callback.acknowledged();
        }

        @Override
        public void close() {}
    }

    private long[] achieved(Schedule schedule, int seconds, long messages) throws InterruptedException {
        Counting client = new Counting(seconds);
        Measurements measurements = new Measurements(virtualNs::get, 0);
        Pacer pacer = new Pacer(new Pacer.Idle() {
            @Override
            public void park(long durationNs) {
                virtualNs.addAndGet(durationNs + PARKS_LATE_NS);
            }

            @Override
            public void spin() {
                virtualNs.addAndGet(SPIN_NS);
            }
        });
        ProducerLoop loop = new ProducerLoop(
                "producer-under-test",
                new ProducerLoop.Work(
                        List.of(new LoadedProducer(
                                client, new ProducerAudit(0), measurements, MessageHeader.Layout.FULL, 1)),
                        schedule,
                        messages,
                        Payloads.of(List.of(new byte[64]), false, 1, 0),
                        KeyDistributor.none()),
                measurements.newPublisher(),
                virtualNs::get,
                pacer,
                failures::add);
        loop.start();
        assertThat(loop.awaitEnd(Patience.LIMIT.toMillis()))
                .as("the loop ended")
                .isTrue();
        assertThat(failures).isEmpty();
        return client.counts;
    }

    private void follows(RateProfile profile, int seconds) throws InterruptedException {
        long[] counts = achieved(Schedule.even(START_NS, profile), seconds, (long) profile.messagesIn(seconds));
        for (int second = 0; second < seconds; second++) {
            double expected = profile.messagesIn(second + 1) - profile.messagesIn(second);
            assertThat((double) counts[second]).as("second %d", second).isCloseTo(expected, within(0.01 * expected));
        }
    }

    @Test
    void aStepIsFollowedWithinAPercentOfEachSecond() throws InterruptedException {
        follows(
                new RateProfile(
                        List.of(new Segment(3 * SECOND_NS, 2_000, 2_000), new Segment(3 * SECOND_NS, 20_000, 20_000))),
                6);
    }

    @Test
    void aRampIsFollowedWithinAPercentOfEachSecond() throws InterruptedException {
        follows(new RateProfile(List.of(new Segment(10 * SECOND_NS, 1_000, 50_000))), 10);
    }

    @Test
    void independentArrivalsAreFollowedWithinAPercentOfEachSecond() throws InterruptedException {
        int seconds = 5;
        RateProfile rate = RateProfile.steady(200_000);
        // At this rate, one percent is four and a half standard deviations.
        long[] counts = achieved(Schedule.poisson(START_NS, rate, 1), seconds, 1_000_000);
        for (int second = 0; second < seconds - 1; second++) {
            assertThat((double) counts[second]).as("second %d", second).isCloseTo(200_000, within(2_000.0));
        }
    }
}
