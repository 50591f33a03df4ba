package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.coordinator.session.Observer;
import io.openmessaging.benchmark.coordinator.session.RunFailedException;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.run.RunPhase;
import io.openmessaging.benchmark.worker.protocol.Worker;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;

/**
 * A measurement that sends nothing: it consumes existing messages until no more arrive, a number of messages was
 * consumed, or the time is up.
 */
final class ConsumedLoad extends MeasuredLoad {

    private static final Duration LOOK = Duration.ofMillis(10);

    ConsumedLoad(RunSession session) {
        super(session);
    }

    /** Creates consumers within the measurement, because delivery starts as soon as there is a consumer. */
    @Override
    void measure(double rateMsgPerSec) throws InterruptedException, RunFailedException, DriverException {
        begin(RunPhase.MEASURE);
        session.stop.interruptFrom();
        try {
            session.worker.prepare(new Worker.Prepare(session.description, 0, workload.consumerPerSubscription()));
        } finally {
            session.stop.noInterrupts();
        }
        Duration quiet = session.timeouts.quiet();
        Observer.End end = session.observer.sampleUntil(workload.testTime(), LOOK, Optional.of(quiet), this::isEnough);
        Totals totals = session.observer.totals();
        Long wanted = workload.messageCount();
        if (totals.receivedByAll() == 0) {
            recording.note(Finding.nothingConsumed());
        } else if (end == Observer.End.TIME_UP) {
            recording.note(Finding.consumedInPart(quiet.toSeconds()));
        } else if (end == Observer.End.STALLED && wanted != null) {
            recording.note(Finding.fewerConsumed(Collections.min(totals.received()), wanted, quiet.toSeconds()));
        }
    }

    private boolean isEnough(Totals totals) {
        Long wanted = workload.messageCount();
        return wanted != null && totals.received().stream().allMatch(received -> received >= wanted);
    }
}
