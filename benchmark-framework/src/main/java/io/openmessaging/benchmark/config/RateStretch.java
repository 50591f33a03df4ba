package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.config.ProducerRate.Unlimited;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One stretch of a {@code producerRateSchedule}.
 *
 * @param duration duration
 * @param rate rate of all producers together, messages or bytes per second; here 0 means that nothing is sent
 * @param ramp transition to this rate, immediate by default; the first stretch ramps up from 0
 */
public record RateStretch(
        @Shortened(least = "1s") @Range(from = "1s", to = "30d") @Nullable
        Duration duration,

        @Nullable ProducerRate rate,
        @Default("STEP") Ramp ramp)
        implements Checked {

    /** Returns the rate that this stretch has, or reaches, in messages per second. */
    public double messagesPerSecond(double meanMessageBytes) {
        return rate == null ? 0 : rate.messagesPerSecond(meanMessageBytes).orElse(0);
    }

    public Duration time() {
        return duration == null ? Duration.ZERO : duration;
    }

    @Override
    public void check(Problems problems) {
        problems.require(duration != null, "duration", "a stretch needs one, such as 30s", null);
        if (rate == null) {
            problems.add("rate", "a stretch needs one: messages a second, or bytes such as 10 MB/s", null);
        } else {
            problems.require(
                    !(rate instanceof Unlimited), "rate", "must be a number or bytes such as 10 MB/s", rate.toString());
        }
    }
}
