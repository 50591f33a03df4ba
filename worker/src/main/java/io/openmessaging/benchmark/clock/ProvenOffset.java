package io.openmessaging.benchmark.clock;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The limits within which a worker's clock is ahead of the coordinator's, as proven by probes. A question sent at T1
 * is received no earlier, so at T1 the worker's clock was ahead by T2 − T1 at most; an answer sent at T3 arrives no
 * earlier, so at T4 it was ahead by T3 − T4 at least. Unequal delays of the two directions, waiting in queues and
 * stopped processes make these limits wider, but never wrong. From one time to another, they widen by the possible
 * drift of a clock: 50 ppm, or, if probes show the actual drift (see {@link Corridor}), that drift plus or minus the
 * 10 ppm by which it may change within three minutes. The reported offset is the middle, its bound half the width.
 *
 * <p>Two limits that exclude each other prove that the clock drifts otherwise, or was set: this is a {@link
 * ClockBreak}, and everything restarts with the probe that showed it. If a clock is set by less than a round trip,
 * this may not be detected; then the bound is wrong by no more than the shortest transit time of a message.
 *
 * <p>Memory: the probes of the last two minutes are kept, except those that add nothing to the others. The knowledge
 * from older probes is kept as one pair of limits at two minutes ago: no answer for a later time is looser for it. If
 * more than 4,096 points remain, the older half is reduced to such a pair; this loosens only the drift, to no more
 * than 50 ppm. A probe takes O(log n) if probes arrive in order, and each is examined another twelve times to
 * determine the drift.
 *
 * <p>Thread-safe.
 */
final class ProvenOffset {

    /** Time span of the probes that determine the drift. */
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(120);

    /** Time for which a determined drift remains valid, except for its possible change. */
    static final long STEADY_NS = TimeUnit.SECONDS.toNanos(60);

    /** Interval between determinations of the drift. */
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Time before the first determination; then the drift is determined each time the watch has lasted twice as long,
     * until {@link #INTERVAL_NS} is reached: a run may be short.
     */
    static final long FIRST_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    static final int MAX_POINTS = 4_096;

    /** Result of adding a probe. */
    enum ProbeResult {
        /** The probe was added. */
        TAKEN,
        /** Its stamps are impossible, or before the time from which probes are still considered. */
        IGNORED,
        /** It contradicts other probes, or itself. */
        BREAK
    }

    /** Limits under the widest limits of drift. */
    private Envelope all = new Envelope(ClockDrift.ANY);
    /** Limits under the determined drift; the same object as {@link #all} while no drift is in force. */
    private Envelope inForce = all;

    private long fromNs;
    private long steadyUntilNs;
    private long consideredNs;
    private @Nullable ClockBreak lastBreak;

    /** Adds what a probe proves. */
    synchronized ProbeResult add(OffsetProbe probe) {
        if (!probe.isPossible() || (!isEmpty() && probe.sentNs() < fromNs)) {
            return ProbeResult.IGNORED;
        }
        if (isEmpty()) {
            begin(probe);
        } else if (inForce != all && probe.arrivedNs() > steadyUntilNs) {
            condense(steadyUntilNs);
            inForce = all;
        }
        ClockBreak found = put(probe);
        if (found == null && isDue(probe.arrivedNs())) {
            found = determineDrift(probe.arrivedNs());
        }
        if (found == null) {
            return ProbeResult.TAKEN;
        }
        lastBreak = found;
        begin(probe);
        if (put(probe) != null) {
            clear();
        }
        return ProbeResult.BREAK;
    }

    private boolean isEmpty() {
        return all.size() == 0;
    }

    private void clear() {
        all = new Envelope(ClockDrift.ANY);
        inForce = all;
    }

    private void begin(OffsetProbe probe) {
        clear();
        fromNs = probe.sentNs();
        consideredNs = probe.arrivedNs();
    }

    /** Adds the two limits of a probe, unless one contradicts the existing limits. */
    private @Nullable ClockBreak put(OffsetProbe probe) {
        if (probe.answeredNs() < probe.receivedNs()) {
            return new ClockBreak(probe.sentNs(), probe.arrivedNs(), probe.answeredNs() - probe.receivedNs());
        }
        ClockBreak found = putMost(probe);
        return found == null ? putLeast(probe) : found;
    }

    private @Nullable ClockBreak putMost(OffsetProbe probe) {
        long atNs = probe.sentNs();
        long least = inForce.leastAt(atNs);
        if (least > probe.mostAheadNs()) {
            long reasonNs = inForce.negatedLeast().reasonAt(atNs);
            return ClockBreak.between(reasonNs, atNs, least - probe.mostAheadNs());
        }
        all.addMost(atNs, probe.mostAheadNs());
        inForce.addMost(atNs, probe.mostAheadNs());
        return null;
    }

    private @Nullable ClockBreak putLeast(OffsetProbe probe) {
        long atNs = probe.arrivedNs();
        long most = inForce.mostAt(atNs);
        if (most < probe.leastAheadNs()) {
            long reasonNs = inForce.most().reasonAt(atNs);
            return ClockBreak.between(atNs, reasonNs, probe.leastAheadNs() - most);
        }
        all.addLeast(atNs, probe.leastAheadNs());
        inForce.addLeast(atNs, probe.leastAheadNs());
        return null;
    }

    private boolean isDue(long nowNs) {
        long watchedNs = consideredNs - fromNs;
        long intervalNs = Math.max(FIRST_INTERVAL_NS, Math.min(INTERVAL_NS, watchedNs));
        return nowNs - consideredNs >= intervalNs || all.size() > MAX_POINTS;
    }

    /**
     * Forgets old points and determines the drift from the rest; returns a break if not even a changing drift explains
     * them.
     */
    private @Nullable ClockBreak determineDrift(long nowNs) {
        long startNs = nowNs - WINDOW_NS;
        if (all.size() > MAX_POINTS) {
            startNs = Math.max(startNs, middleNs());
        }
        if (startNs > fromNs) {
            condense(startNs);
        }
        consideredNs = nowNs;
        steadyUntilNs = nowNs + STEADY_NS;
        inForce = all.within(Corridor.drift(all));
        return inForce.contradiction();
    }

    private long middleNs() {
        Staircase longer = all.most().size() > all.negatedLeast().size() ? all.most() : all.negatedLeast();
        return longer.time(longer.size() / 2);
    }

    private void condense(long timeNs) {
        all.condense(timeNs, inForce.leastAt(timeNs), inForce.mostAt(timeNs));
        fromNs = timeNs;
    }

    /**
     * Returns how far the clock is ahead at a time of the coordinator; empty before the first probe and before the
     * latest break.
     */
    Optional<Offset> at(long timeNs) {
        return during(timeNs, timeNs);
    }

    /**
     * Returns how far the clock is ahead, valid at all times of a span.
     *
     * @param startNs epoch nanoseconds of the coordinator; the result is empty if this is before the first probe, the
     *     latest break, or two minutes before the latest probe
     * @param endNs not before the start
     */
    synchronized Optional<Offset> during(long startNs, long endNs) {
        if (!OffsetProbe.isTime(startNs) || !OffsetProbe.isTime(endNs) || endNs < startNs) {
            throw new IllegalArgumentException("No span of time: from " + startNs + " to " + endNs + " ns");
        }
        if (isEmpty() || startNs < fromNs) {
            return Optional.empty();
        }
        boolean steady = inForce != all;
        long knownNs = steady ? Math.min(startNs, steadyUntilNs) : startNs;
        ClockDrift then = steady && endNs <= steadyUntilNs ? inForce.drift() : ClockDrift.ANY;
        long passedNs = endNs - knownNs;
        long least = inForce.leastAt(knownNs) + (long) Math.floor(Math.min(0, then.slowest() * passedNs));
        long most = inForce.mostAt(knownNs) + (long) Math.ceil(Math.max(0, then.fastest() * passedNs));
        long middle = least + (most - least) / 2;
        return Optional.of(new Offset(middle, most - middle));
    }

    /** Returns the limits of drift that are in force after the latest probe. */
    synchronized ClockDrift drift() {
        return inForce.drift();
    }

    /** Returns the last proof that the clock does not run as it should. */
    synchronized Optional<ClockBreak> lastBreak() {
        return Optional.ofNullable(lastBreak);
    }

    /** Returns the number of points kept on the side that has more. */
    synchronized int points() {
        return all.size();
    }
}
