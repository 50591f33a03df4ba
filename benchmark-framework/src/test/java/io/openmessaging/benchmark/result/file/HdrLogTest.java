package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.measure.Latency;
import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.result.ResultFixture;
import io.openmessaging.benchmark.result.RunResult;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
final class HdrLogTest {

    private static void assertSame(Histogram interval, String tag, PeriodSnapshot period, Latency latency) {
        assertThat(interval.getTag()).isEqualTo(tag);
        assertThat(interval).isEqualTo(period.latency(latency).histogram());
        assertThat(interval.getStartTimeStamp()).isEqualTo(TimeUnit.NANOSECONDS.toMillis(period.startNs()));
        assertThat(interval.getEndTimeStamp()).isEqualTo(TimeUnit.NANOSECONDS.toMillis(period.endNs()));
    }

    @Test
    void isReadBackAsItWasMeasured() {
        RunResult result = ResultFixture.twoSubscriptions();
        List<Histogram> intervals = HdrLogs.intervals(HdrLog.render(result));

        assertThat(intervals).hasSize(3 * Latency.values().length);
        PeriodSnapshot warmup = result.warmup().get(0);
        assertSame(intervals.get(0), "warmup-publish", warmup, Latency.PUBLISH);
        assertSame(intervals.get(1), "warmup-scheduledPublish", warmup, Latency.SCHEDULED_PUBLISH);
        PeriodSnapshot second = result.measured().get(1);
        assertSame(intervals.get(12), "measure-sendDelay", second, Latency.SEND_DELAY);
        assertSame(intervals.get(13), "measure-endToEnd", second, Latency.END_TO_END);
        assertSame(intervals.get(14), "measure-scheduledEndToEnd", second, Latency.SCHEDULED_END_TO_END);
    }

    @Test
    void ofOneWorkerHasWhatThatWorkerSaw() {
        RunResult result = ResultFixture.twoWorkers();
        String log = HdrLog.render(result, 1);
        assertThat(log).startsWith("#[Run run-g, worker 2 (w2:8080) alone. Values are nanoseconds. Tags are ");
        List<Histogram> all = HdrLogs.intervals(HdrLog.render(result));
        List<Histogram> intervals = HdrLogs.intervals(log);
        assertThat(intervals).hasSameSizeAs(all);
        PeriodSnapshot second = result.measured().get(1).ofWorkers().get(1).open();
        assertSame(
                intervals.get(intervals.size() - 1), "measure-scheduledEndToEnd", second, Latency.SCHEDULED_END_TO_END);
        assertThat(HdrLogs.added(intervals, "measure-publish"))
                .as("it has sent nothing")
                .isZero();
        List<Histogram> ofOther = HdrLogs.intervals(HdrLog.render(result, 0));
        for (int i = 0; i < all.size(); i++) {
            Histogram both = ofOther.get(i).copy();
            both.add(intervals.get(i));
            assertThat(both).isEqualTo(all.get(i));
        }
    }

    @Test
    void hasNoIntervalsOfALatencyThatWasNotMeasured() {
        assertThat(HdrLogs.intervals(HdrLog.render(ResultFixture.compact())))
                .extracting(Histogram::getTag)
                .containsExactly(
                        "measure-publish",
                        "measure-scheduledPublish",
                        "measure-sendDelay",
                        "measure-endToEnd",
                        "measure-publish",
                        "measure-scheduledPublish",
                        "measure-sendDelay",
                        "measure-endToEnd");
    }

    @Test
    void beginsWithTheRun() {
        try (HistogramLogReader reader = HdrLogs.reader(HdrLog.render(ResultFixture.failed()))) {
            assertThat(reader.nextIntervalHistogram()).isNull();
            assertThat(reader.getStartTimeSec()).isEqualTo(TimeUnit.NANOSECONDS.toMillis(ResultFixture.BEGIN_NS) / 1e3);
        }
    }

    @Test
    void leavesTheResultAsItWas() {
        RunResult result = ResultFixture.twoSubscriptions();
        HdrLog.render(result);
        assertThat(result.measured().get(0).latency(Latency.PUBLISH).histogram().getTag())
                .isNull();
    }

    @Test
    void doesNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        String log = HdrLog.render(ResultFixture.twoSubscriptions());
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(HdrLog.render(ResultFixture.twoSubscriptions())).isEqualTo(log);
        } finally {
            Locale.setDefault(before);
        }
    }
}
