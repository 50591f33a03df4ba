package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A measurement of a given number of messages, from the first send to the last arrival. */
final class CountedLoad extends MeasuredLoad {

    private static final Duration LOOK_FOR_CALM = Duration.ofMillis(100);

    /** The measurement ends when the last message has arrived, and the wait for it is part of the last period. */
    private static final Duration LOOK = Duration.ofMillis(1);

    private final long messageCount;
    private boolean gaveUp;
    private RunResult.@Nullable Transfer transfer;

    CountedLoad(RunSession session, long messageCount) {
        super(session);
        this.messageCount = messageCount;
    }

    @Override
    boolean goesOnFromWarmUp() {
        return false;
    }

    /** False without a warm-up: a cold start is slow at first, and its time is part of the total that is measured. */
    @Override
    boolean isEven() {
        return !workload.warmupTime().isZero();
    }

    @Override
    boolean gaveUp() {
        return gaveUp;
    }

    @Override
    RunResult.@Nullable Transfer transfer() {
        return transfer;
    }

    /** Waits until earlier messages have arrived, then sends the messages. */
    @Override
    void measure(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException {
        session.load.stop();
        Observer.End calm = session.observer.waitUntil(
                session.timeouts.drain(), LOOK_FOR_CALM, Optional.of(session.timeouts.quiet()), Observer::allArrived);
        if (calm == Observer.End.STOPPED) {
            return;
        }
        long sentBefore = begin(RunPhase.MEASURE).totals().sent();
        session.load.start(RateProfile.steady(rateMsgPerSec), messageCount);
        Observer.End end = sample(
                workload.testTime(),
                LOOK,
                Optional.of(session.timeouts.quiet().plus(pause(rateMsgPerSec))),
                totals -> totals.sent() - sentBefore >= messageCount
                        && session.observer.loadFinished()
                        && Observer.allArrived(totals));
        gaveUp = end == Observer.End.STALLED;
        Totals totals = session.observer.totals();
        long sent = totals.sent() - sentBefore;
        if (sent < messageCount && end != Observer.End.STOPPED) {
            recording.note(Finding.messageCountMissed(messageCount, sent));
        }
        LoadSpan span = session.observer.status().load().span();
        if (span != null && span.firstSentNs().isPresent()) {
            boolean published = sent >= messageCount && totals.inFlight() == 0;
            transfer = transfer(span, published, end == Observer.End.DONE);
            judgeBurst(sent, transfer.sendSeconds());
        }
        if (!isEven()) {
            Judge.coldStart(recording.measured()).ifPresent(recording::note);
        }
    }

    private static RunResult.Transfer transfer(LoadSpan span, boolean published, boolean received) {
        Double receiveSeconds = span.lastArrivedNs()
                .filter(arrived -> received)
                .flatMap(arrivedNs -> span.firstSentNs().map(sentNs -> (arrivedNs - sentNs) / 1e9))
                .orElse(null);
        return new RunResult.Transfer(span.sendNs() / 1e9, published ? span.publishNs() / 1e9 : null, receiveSeconds);
    }

    private void judgeBurst(long sent, double sendSeconds) {
        if (workload.sendWithin() == null) {
            return;
        }
        double targetSeconds = workload.sendWithin().toNanos() / 1e9;
        if (sendSeconds > targetSeconds / Judge.REACHED) {
            recording.note(Finding.burstTookLonger(sent, targetSeconds, sendSeconds));
        }
    }

    /** The pause between two messages, which threads may stretch: a slow load is not stalled during it. */
    private static Duration pause(double rateMsgPerSec) {
        return rateMsgPerSec == Double.POSITIVE_INFINITY
                ? Duration.ZERO
                : Duration.ofNanos((long) (2e9 / rateMsgPerSec));
    }
}
