package io.openmessaging.benchmark.load;

/**
 * A part of a schedule: how messages come together in the course of it. Immutable. An abstract class and not an
 * interface, so that a call costs nothing as long as there is one kind of stretch in a run.
 */
abstract class Stretch {

    static final double NS_PER_SECOND = 1e9;

    /** Where it begins. */
    final long startNs;

    /** Where the next stretch begins, MAX_VALUE for the last. */
    final long endNs;

    Stretch(long startNs, long endNs) {
        this.startNs = startNs;
        this.endNs = endNs;
    }

    /**
     * When so many messages have come together, counted from the start of the stretch, as if it had no end: {@link
     * Schedule#AT_ONCE} if it has no limit, {@link Schedule#NEVER} if that many never do.
     */
    abstract long dueNs(double messages);

    /**
     * How many messages have come together by a time; below 0 for one before the start, infinity if there is no limit.
     */
    abstract double messagesBy(long atNs);

    /** The same, but the next stretch begins at a time. */
    abstract Stretch endingAt(long atNs);

    /** Whether a message due then, if this stretch says so, belongs to the stretch after it. */
    final boolean isOverBy(long dueNs) {
        return endNs != Long.MAX_VALUE && (dueNs == Schedule.AT_ONCE || dueNs >= endNs);
    }
}
