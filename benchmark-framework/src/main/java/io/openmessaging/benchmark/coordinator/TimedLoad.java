package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Ramp;
import io.openmessaging.benchmark.config.RateStretch;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.run.RunPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A measurement for a time, at one rate or by a schedule, after a backlog if the workload requests one. */
final class TimedLoad extends MeasuredLoad {

    TimedLoad(RunSession session) {
        super(session);
    }

    private boolean isScheduled() {
        return !workload.schedule().isEmpty();
    }

    @Override
    void measure(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException {
        begin(workload.buildsBacklog() ? RunPhase.BACKLOG_BUILD : RunPhase.MEASURE);
        RateProfile rates = rates(rateMsgPerSec);
        if (!session.load.isOn()) {
            session.load.start(rates, messagesDue(rateMsgPerSec));
        } else if (isScheduled()) {
            session.load.change(rates);
        }
        if (workload.buildsBacklog()) {
            if (!new BacklogLoad(session).buildAndDrain()) {
                return;
            }
            // The rest of the backlog that was built may shrink, and none may grow again.
            watchBacklogs(false);
            recording.begin(RunPhase.MEASURE);
        }
        sample(workload.testTime(), look(workload.testTime()), Optional.empty(), totals -> false);
    }

    /**
     * Number of messages due before the time is up, the first at its start. A message due exactly at the end would be
     * one more than the rate gives.
     */
    private long messagesDue(double rateMsgPerSec) {
        boolean known = rateMsgPerSec < Double.POSITIVE_INFINITY
                && !isScheduled()
                && !workload.buildsBacklog()
                && !workload.arrivals().isRandom();
        return workload.testTime()
                .filter(time -> known)
                // The product of a rate and a time is not always exact.
                .map(time -> (long) Math.ceil(rateMsgPerSec * time.toNanos() / 1e9 - 1e-6))
                .orElse(Long.MAX_VALUE);
    }

    private RateProfile rates(double rateMsgPerSec) {
        return isScheduled() ? scheduled() : RateProfile.steady(rateMsgPerSec);
    }

    private RateProfile scheduled() {
        List<RateProfile.Segment> segments = new ArrayList<>();
        double before = 0;
        for (RateStretch stretch : workload.schedule()) {
            double rate = stretch.messagesPerSecond(workload.meanMessageBytes());
            segments.add(new RateProfile.Segment(
                    stretch.time().toNanos(), stretch.ramp() == Ramp.LINEAR ? before : rate, rate));
            before = rate;
        }
        return new RateProfile(segments);
    }

    @Override
    boolean isEven() {
        return !isScheduled();
    }

    @Override
    Optional<RateProfile> dueProfile(double rateMsgPerSec) {
        return Optional.of(rates(rateMsgPerSec));
    }

    @Override
    OptionalDouble targetMsgPerSec(double rateMsgPerSec) {
        if (!isScheduled()) {
            return super.targetMsgPerSec(rateMsgPerSec);
        }
        double seconds = measuredSeconds();
        return seconds == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(scheduled().messagesIn(seconds) / seconds);
    }
}
