package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.calibrate.Calibrator.CalibratedLoad;
import io.openmessaging.benchmark.config.ProducerRate;
import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.LatencySnapshot;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A harness that holds every rate up to a limit, without taking any time. */
public final class FakeHarness implements CalibratedLoad {

    private static final long IN_TIME_NS = 20_000;
    private static final long LATE_NS = 40_000_000;

    private final double limitMsgPerSec;
    private final List<String> loads = new ArrayList<>();

    /** Holds this rate with one topic; each further topic adds three quarters of it. */
    public FakeHarness(double limitMsgPerSec) {
        this.limitMsgPerSec = limitMsgPerSec;
    }

    /** The requested loads: rate and topics. */
    List<String> loads() {
        return loads;
    }

    @Override
    public PeriodSnapshot load(ProducerRate rate, int topics, Duration settle, Duration observe) {
        loads.add(rate + " on " + topics);
        double possible = limitMsgPerSec * (1 + 0.75 * (topics - 1));
        double asked = rate instanceof ProducerRate.Fixed fixed ? fixed.messagesPerSecond() : possible;
        long messages = Math.round(Math.min(asked, possible) * observe.toNanos() / 1e9);
        Histogram delays = new Histogram(3);
        delays.recordValueWithCount(asked > possible ? LATE_NS : IN_TIME_NS, messages);
        Totals totals = new Totals(messages, messages, 0, List.of(messages), 0);
        return new PeriodSnapshot(
                0,
                observe.toNanos(),
                totals,
                totals,
                Map.of(Latency.SEND_DELAY, new LatencySnapshot(delays, messages, 0, 0)));
    }
}
