package io.openmessaging.benchmark.coordinator;

import io.openmessaging.benchmark.coordinator.session.Time;
import io.openmessaging.benchmark.run.StopSignal;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Time that passes as fast as threads wait for it, with the matching epoch clock. An event that a test has planned
 * runs on the waiting thread when its time comes. Time that runs away ends the test instead of hanging it.
 */
public final class VirtualTime implements Time, LongSupplier {

    private static final long START_NS = 1_700_000_000_000_000_000L;

    /** More steps than any test needs: a test that waits for something that never happens must fail soon. */
    private static final int MAX_STEPS = 1_000_000;

    private final TreeMap<Long, Runnable> plan = new TreeMap<>();
    private long nowNs = START_NS;
    private int steps;

    /** Plans an event for a time after the start. */
    public void at(Duration sinceStart, Runnable event) {
        plan.merge(START_NS + sinceStart.toNanos(), event, (first, second) -> () -> {
            first.run();
            second.run();
        });
    }

    /** The time since the start. */
    public Duration passed() {
        return Duration.ofNanos(nowNs - START_NS);
    }

    /** Lets time pass without a wait, such as in a step that takes long. */
    public void pass(Duration time) {
        nowNs += time.toNanos();
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public long getAsLong() {
        return nowNs;
    }

    @Override
    public boolean await(StopSignal stop, long durationNs) throws InterruptedException {
        long untilNs = nowNs + Math.max(0, durationNs);
        while (!stop.requested() && nowNs < untilNs) {
            step(untilNs);
        }
        return stop.requested();
    }

    @Override
    public void sleep(long durationNs) throws InterruptedException {
        long untilNs = nowNs + Math.max(0, durationNs);
        while (nowNs < untilNs) {
            step(untilNs);
        }
    }

    private void step(long untilNs) throws InterruptedException {
        Map.Entry<Long, Runnable> next = plan.firstEntry();
        if (next != null && next.getKey() <= untilNs) {
            plan.pollFirstEntry();
            nowNs = Math.max(nowNs, next.getKey());
            next.getValue().run();
        } else {
            nowNs = untilNs;
        }
        if (++steps > MAX_STEPS) {
            throw new IllegalStateException("still waiting after " + passed() + " of virtual time");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted by what the test has planned");
        }
    }
}
