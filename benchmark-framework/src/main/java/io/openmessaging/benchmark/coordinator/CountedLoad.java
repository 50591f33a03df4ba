package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.config.Workload;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.judge.Judge;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.measure.LoadSpan;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A measurement of a given number of messages, from the first send to the last arrival. */
final class CountedLoad {

    private static final double NS_PER_SECOND = 1e9;

    /** The measurement is over when the last message has arrived, and the wait for it is part of the last period. */
    private static final Duration LOOK = Duration.ofMillis(1);

    private final Session session;
    private final Workload workload;
    private final long messageCount;
    private final double rateMsgPerSec;
    private boolean gaveUp;
    private RunResult.@Nullable Transfer transfer;

    CountedLoad(Session session, long messageCount, double rateMsgPerSec) {
        this.session = session;
        this.workload = session.workload;
        this.messageCount = messageCount;
        this.rateMsgPerSec = rateMsgPerSec;
    }

    /** Whether it has waited in vain for messages to arrive. */
    boolean gaveUp() {
        return gaveUp;
    }

    /** How long the messages took; null if that is not known yet. */
    RunResult.@Nullable Transfer transfer() {
        return transfer;
    }

    /** Sends the messages, on clients that have nothing on their way. */
    void measure() throws InterruptedException, RunFailedException, DriverException {
        long sentBefore = session.observer.totals().sent();
        session.load.start(RateProfile.steady(rateMsgPerSec), messageCount);
        Observer.End end = session.observer.sampleUntil(
                workload.testTime(),
                LOOK,
                Optional.of(session.limits.quiet().plus(pause())),
                totals -> totals.sent() - sentBefore >= messageCount
                        && session.observer.loadFinished()
                        && Observer.allArrived(totals));
        gaveUp = end == Observer.End.STALLED;
        Totals totals = session.observer.totals();
        long sent = totals.sent() - sentBefore;
        if (sent < messageCount && end != Observer.End.STOPPED) {
            session.recording.note(Finding.messageCountMissed(messageCount, sent));
        }
        LoadSpan span = session.observer.status().span();
        if (span != null) {
            boolean published = sent >= messageCount && totals.inFlight() == 0;
            transfer = transfer(span, published, end == Observer.End.DONE);
            judgeBurst(sent, transfer.sendSeconds());
        }
    }

    private static RunResult.Transfer transfer(LoadSpan span, boolean published, boolean received) {
        Double receiveSeconds = span.lastArrivedNs()
                .filter(arrived -> received)
                .map(arrivedNs -> (arrivedNs - span.firstSentNs()) / NS_PER_SECOND)
                .orElse(null);
        return new RunResult.Transfer(
                span.sendNs() / NS_PER_SECOND, published ? span.publishNs() / NS_PER_SECOND : null, receiveSeconds);
    }

    private void judgeBurst(long sent, double sendSeconds) {
        if (workload.sendWithin() == null) {
            return;
        }
        double targetSeconds = workload.sendWithin().toNanos() / NS_PER_SECOND;
        if (sendSeconds > targetSeconds / Judge.REACHED) {
            session.recording.note(Finding.burstTookLonger(sent, targetSeconds, sendSeconds));
        }
    }

    /** A slow load is not stalled for the time between two of its messages, which threads may stretch. */
    private Duration pause() {
        return rateMsgPerSec == Double.POSITIVE_INFINITY
                ? Duration.ZERO
                : Duration.ofNanos((long) (2 * NS_PER_SECOND / rateMsgPerSec));
    }
}
