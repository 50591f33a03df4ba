package io.openmessaging.benchmark.clock;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Within which limits a worker's clock is ahead of the coordinator's, as probes prove it. A question sent at T1 is received
 * no earlier, so at T1 the worker's clock was ahead by T2 − T1 at most; an answer sent at T3 arrives no earlier, so at T4
 * it was ahead by T3 − T4 at least. How unequal the two ways are, how long anything waits in a queue and how long a process
 * is stopped makes these limits wider and never wrong. From one moment to another they widen by what a clock can drift:
 * 50 ppm, and where probes show how it drifts, see {@link Corridor}, that, give or take the 10 ppm by which it may change
 * within three minutes. The offset that is told is the middle, its bound half the width.
 *
 * <p>Two limits that exclude each other prove that the clock drifts otherwise, or was set: a {@link ClockBreak}, and all
 * begins again with the probe that showed it. A clock that is set by less than a round trip may
 * not be found out; then the bound is wrong by no more than the shortest way of a message.
 *
 * <p>Memory: the probes of two minutes, of which those are kept that say more than others. What older ones proved is kept
 * as one pair of limits of two minutes ago: no answer for a later moment is looser for it. If more than 4,096 are left, the
 * older half is kept as such a pair; what that loosens is the drift, to no more than 50 ppm. A probe takes O(log n) where
 * they come in their order, and each is looked at twelve times more for the drift.
 *
 * <p>Thread-safe.
 */
final class ProvenOffset {

    private static final long NS_PER_SECOND = 1_000_000_000L;

    /** The drift is determined by the probes of so long. */
    static final long WINDOW_NS = 120 * NS_PER_SECOND;

    /** For so long after that it is what it was, give or take its change. */
    static final long STEADY_NS = 60 * NS_PER_SECOND;

    /** It is determined again after so long. */
    static final long INTERVAL_NS = 10 * NS_PER_SECOND;

    /** And for the first time after this, then whenever it has been watched for twice as long: a run may be short. */
    static final long FIRST_INTERVAL_NS = NS_PER_SECOND;

    static final int MAX_POINTS = 4_096;

    /** What became of a probe. */
    enum ProbeResult {
        /** It says what it says. */
        TAKEN,
        /** Its stamps are no times, or from before what is still looked at. */
        IGNORED,
        /** It contradicts others. */
        BREAK
    }

    /** By the widest limits of drift. */
    private Envelope all = new Envelope(ClockDrift.ANY);
    /** By those that have been determined; the same as the other until then. */
    private Envelope inForce = all;

    private long fromNs;
    private long steadyUntilNs;
    private long consideredNs;
    private @Nullable ClockBreak lastBreak;

    /** Takes in what a probe proves. */
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

    /** Adds a probe's two limits, unless one contradicts those that there are. */
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

    /** Forgets what is old and determines the drift by the rest; tells if not even a drift that changes explains it. */
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

    /** How far the clock is ahead at a moment of the coordinator's; empty before the first probe and the latest break. */
    Optional<Offset> at(long timeNs) {
        return during(timeNs, timeNs);
    }

    /**
     * How far the clock is ahead, at all moments of a span.
     *
     * @param startNs epoch nanoseconds of the coordinator; empty if it is before the first probe, the latest break, or two
     *     minutes before the latest probe
     * @param endNs not before it
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

    /** The limits of drift that are in force after the latest probe. */
    synchronized ClockDrift drift() {
        return inForce.drift();
    }

    /** The last proof that the clock does not go as it should. */
    synchronized Optional<ClockBreak> lastBreak() {
        return Optional.ofNullable(lastBreak);
    }

    /** How many points are kept, of each of the two sides. */
    synchronized int points() {
        return all.size();
    }
}
