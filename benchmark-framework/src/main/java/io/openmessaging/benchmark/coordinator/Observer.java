package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.measure.PeriodSnapshot;
import io.openmessaging.benchmark.measure.Totals;
import io.openmessaging.benchmark.worker.Worker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Watches a worker while load is on: takes samples, looks for failures, knows when it is over. */
final class Observer {

    private final Worker worker;
    private final StopSignal stop;
    private final RunListener listener;
    private final Recording recording;
    private final Supplier<Optional<String>> brokerFailure;
    private final Limits limits;
    private final Duration samplePeriod;

    /** When a count last changed, as far as anybody looked; kept from one wait to the next. */
    private long movedAtNs = System.nanoTime();

    private long moved = -1;

    Observer(
            Worker worker,
            StopSignal stop,
            RunListener listener,
            Recording recording,
            RunRequest request,
            Duration samplePeriod) {
        this.worker = worker;
        this.stop = stop;
        this.listener = listener;
        this.recording = recording;
        this.brokerFailure = request.brokerFailure();
        this.limits = request.limits();
        this.samplePeriod = samplePeriod;
    }

    /** How a wait ended. */
    enum End {
        /** What was waited for has come. */
        DONE,
        /** The time is up. */
        TIME_UP,
        /** Nothing has moved for a while. */
        STALLED,
        /** The user wants to stop. */
        STOPPED
    }

    /**
     * Takes a sample every period, until the time is up or the totals satisfy a condition.
     *
     * @param duration of the phase; empty if only the condition ends it
     * @param look how often to look at the totals
     * @param stall how long nothing may move; empty if it does not matter
     */
    End sampleUntil(Optional<Duration> duration, Duration look, Optional<Duration> stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException {
        long startNs = System.nanoTime();
        long endNs = duration.map(d -> startNs + d.toNanos()).orElse(Long.MAX_VALUE);
        long nextSampleNs = startNs + samplePeriod.toNanos();
        boolean first = true;
        Progress progress = new Progress(look, stall, stop::await);
        while (true) {
            End end = progress.step(Math.min(endNs, nextSampleNs), endNs, done);
            if (end == End.TIME_UP && System.nanoTime() < endNs) {
                nextSampleNs += samplePeriod.toNanos();
                PeriodSnapshot period = worker.sample();
                recording.add(period);
                listener.period(recording.current(), left(endNs), period);
                first = false;
            } else {
                PeriodSnapshot period = worker.sample();
                recording.addLast(period, samplePeriod.toNanos() / 1e9, first);
                listener.period(recording.current(), left(endNs), period);
                return end;
            }
        }
    }

    /** Waits without taking samples. */
    End waitUntil(Duration atMost, Duration look, Optional<Duration> stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException {
        long endNs = System.nanoTime() + atMost.toNanos();
        return new Progress(look, stall, stop::await).step(endNs, endNs, done);
    }

    /** Waits without taking samples, even if the user wants to stop. */
    End waitInAnyCase(Duration atMost, Duration look, Duration stall, Predicate<Totals> done)
            throws InterruptedException, RunFailedException {
        long endNs = System.nanoTime() + atMost.toNanos();
        Wait pause = durationNs -> {
            TimeUnit.NANOSECONDS.sleep(durationNs);
            return false;
        };
        return new Progress(look, Optional.of(stall), pause).step(endNs, endNs, done);
    }

    /** Waits for a time; returns true early if the user wants to stop. */
    private interface Wait {
        boolean await(long durationNs) throws InterruptedException;
    }

    private static Optional<Duration> left(long endNs) {
        return endNs == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, endNs - System.nanoTime())));
    }

    /** Looks at the totals again and again. */
    private final class Progress {

        private final long lookNs;
        private final long stallNs;
        private final Wait pause;
        private long tickAtNs = System.nanoTime();

        Progress(Duration look, Optional<Duration> stall, Wait pause) {
            this.pause = pause;
            this.lookNs = look.toNanos();
            this.stallNs = stall.map(Duration::toNanos).orElse(Long.MAX_VALUE);
        }

        End step(long untilNs, long phaseEndNs, Predicate<Totals> done)
                throws InterruptedException, RunFailedException {
            while (true) {
                throwIfFailed();
                Totals totals = worker.totals();
                long nowNs = System.nanoTime();
                if (done.test(totals)) {
                    return End.DONE;
                }
                if (nowNs >= untilNs) {
                    return End.TIME_UP;
                }
                if (stalled(totals, nowNs)) {
                    return End.STALLED;
                }
                if (nowNs >= tickAtNs) {
                    tickAtNs = nowNs + limits.tick().toNanos();
                    listener.tick(recording.current(), left(phaseEndNs), totals);
                }
                if (pause.await(Math.min(lookNs, untilNs - nowNs))) {
                    return End.STOPPED;
                }
            }
        }

        private boolean stalled(Totals totals, long nowNs) {
            long now = totals.acknowledged() + totals.failed() + totals.receivedByAll();
            if (now != moved) {
                moved = now;
                movedAtNs = nowNs;
            }
            return nowNs - movedAtNs > stallNs;
        }
    }

    void throwIfFailed() throws RunFailedException {
        Optional<String> broker = brokerFailure.get();
        if (broker.isPresent()) {
            throw new RunFailedException(broker.get(), null);
        }
        Optional<Throwable> failure = worker.failure();
        if (failure.isPresent()) {
            throw new RunFailedException("the client cannot go on: " + describe(failure.get()), failure.get());
        }
    }

    private static String describe(Throwable error) {
        return error.getMessage() == null ? error.toString() : error.getMessage();
    }
}
