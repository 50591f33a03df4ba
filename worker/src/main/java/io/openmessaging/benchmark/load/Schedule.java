package io.openmessaging.benchmark.load;

/**
 * When each message of one sending thread is to be sent.
 *
 * <p>A schedule is arithmetic. It knows no clock, and no rounding adds up. {@link #next()} gives the time at which the
 * next message is due; where that lies in the past, the difference is the debt.
 *
 * <p>A change of the rate keeps the debt: what was due before the change stays due when it was, and the new rate counts
 * from the moment of the change, beginning with the fraction of a message that had come together by then. The messages
 * due by a time {@code t} are therefore the integral of the rate up to {@code t}, whatever the sender managed to send.
 * Only a stretch without a limit has no integral: whatever fraction there was ends with it.
 *
 * <p>Not thread-safe: it belongs to one sending thread. An abstract class and not an interface, so that the calls of a
 * run with one kind of schedule cost nothing.
 */
public abstract class Schedule {

    /** What {@link #next()} returns for a message that is due as soon as the client takes it. */
    public static final long AT_ONCE = Long.MIN_VALUE;

    /** What {@link #next()} returns while no message can be due. */
    public static final long NEVER = Long.MAX_VALUE;

    /**
     * The messages of one sending thread.
     *
     * @param arrivals how they are spread over time
     * @param startNs from when on the load is to be sent
     * @param rates of all threads of its worker together
     * @param share the part of them that this thread sends
     * @param slot the thread's place
     * @param seed of the random times of all threads; the same one gives the same times
     */
    public static Schedule of(Arrivals arrivals, long startNs, RateProfile rates, double share, Slot slot, Seed seed) {
        RateProfile ofThread = rates.times(share);
        return switch (arrivals) {
            case CONSTANT -> even(startNs + slot.offsetNs(rates.firstMsgPerSec()), ofThread);
            case POISSON -> poisson(startNs, ofThread, slot.seed(seed).value());
        };
    }

    /**
     * Messages at even distances.
     *
     * @param startNs when the first message is due
     * @param rateMsgPerSec messages a second; 0 for none, infinity for as fast as the client takes them
     */
    public static Schedule even(long startNs, double rateMsgPerSec) {
        return even(startNs, RateProfile.steady(rateMsgPerSec));
    }

    /** Messages at even distances, at a rate that changes. */
    public static Schedule even(long startNs, RateProfile profile) {
        return new EvenSchedule(startNs, profile);
    }

    /**
     * Messages that come independently of each other, as a Poisson process does: the gaps at a constant rate have an
     * exponential distribution.
     *
     * @param startNs from when on messages come
     * @param profile the mean rate
     * @param seed the same one gives the same times
     */
    public static Schedule poisson(long startNs, RateProfile profile, long seed) {
        return new PoissonSchedule(startNs, profile, seed);
    }

    /**
     * When the next message is due: epoch nanoseconds, {@link #AT_ONCE} or {@link #NEVER}. Does not advance. May be asked
     * again at any time: only a change makes the answer another.
     */
    public abstract long next();

    /** The message that {@link #next()} told of was sent. */
    public abstract void advance();

    /**
     * So many messages are passed over, as if they had been sent. Where their times are random, what is left comes as much
     * later as it does in the mean.
     */
    abstract void skip(long messages);

    /**
     * From the given time on, another rate. A fraction of a message that the old rate had accumulated by then is kept:
     * the first message of the new rate is due when the rest of it has come together.
     *
     * @param fromNs not before the last change
     * @param profile of which this moment is the begin
     */
    public abstract void change(long fromNs, RateProfile profile);

    /** From the given time on, another rate that then stays the same. */
    public final void changeRate(long fromNs, double rateMsgPerSec) {
        change(fromNs, RateProfile.steady(rateMsgPerSec));
    }
}
