package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages due are the integral of the rate, whatever the changes and however far the sender is behind. */
class ScheduleDebtTest {

    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final int SEQUENCES = 400;
    private static final int CHANGES = 60;

    private static final class Sender {

        final Schedule schedule;
        long sent;

        Sender(Schedule schedule) {
            this.schedule = schedule;
        }

        /** Sends the messages that are due, but at most {@code limit}: a slow sender stays in debt. */
        void send(long nowNs, long limit) {
            for (long i = 0; i < limit && schedule.next() <= nowNs; i++) {
                schedule.advance();
                sent++;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 100, 10_000, 1_000_000})
    void theMessagesDueAreTheIntegralOfTheRateWithinOne(double scaleMsgPerSec) {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            double rateMsgPerSec = rate(random, scaleMsgPerSec);
            Sender sender = new Sender(Schedule.even(START_NS, rateMsgPerSec));
            long nowNs = START_NS;
            double integral = 0;
            for (int change = 0; change < CHANGES; change++) {
                long spanNs = (long) (random.nextDouble() * random.nextDouble() * 20e9 / scaleMsgPerSec);
                nowNs += spanNs;
                integral += rateMsgPerSec * spanNs / 1e9;
                if (random.nextBoolean()) {
                    sender.send(nowNs, random.nextInt(30));
                }
                rateMsgPerSec = rate(random, scaleMsgPerSec);
                sender.schedule.changeRate(nowNs, rateMsgPerSec);
            }
            sender.send(nowNs, Long.MAX_VALUE);
            // The first message is due before anything has accumulated, hence the 1.
            assertThat(sender.sent - (integral + 1))
                    .as("messages due above the integral, seed %d", seed)
                    .isBetween(-1.01, 0.01);
        }
    }

    /** Returns a random rate around the scale, or sometimes 0. */
    private static double rate(Random random, double scaleMsgPerSec) {
        return random.nextInt(5) == 0 ? 0 : scaleMsgPerSec * (0.1 + 2 * random.nextDouble());
    }
}
