package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.PublishStats;

/** The debt of a load at its end: messages that were due but never sent. */
final class Debt {

    /** Number of messages that are counted one by one. */
    static final long EXACT_MESSAGES = 1 << 20;

    /**
     * Beyond {@link #EXACT_MESSAGES}, the step length doubles after this many steps: some 20 doublings reach any
     * number.
     */
    private static final long STEPS_OF_A_LENGTH = 1 << 16;

    private Debt() {}

    /**
     * Walks a schedule over the messages that were due, and reports how long each of them has waited. The schedule
     * cannot be used afterwards. Beyond {@link #EXACT_MESSAGES}, the message in the middle of a step stands for all
     * messages of the step, so that a debt of any size takes some two million steps at most.
     *
     * @param schedule the schedule, advanced past the messages that were sent
     * @param dueByNs intended end of the load; messages due later are not part of the debt
     * @param mostMessages upper limit of the number of messages left to send
     * @param endNs the time until which messages have waited
     * @param stats receives the unsent messages
     */
    static void tell(Schedule schedule, long dueByNs, long mostMessages, long endNs, PublishStats stats) {
        long left = mostMessages;
        long length = 1;
        long stepsOfLength = EXACT_MESSAGES;
        while (left > 0) {
            long messages = Math.min(length, left);
            schedule.skip(messages / 2);
            long dueNs = schedule.next();
            if (dueNs == Schedule.AT_ONCE || dueNs > dueByNs) {
                return;
            }
            stats.unsent(endNs - dueNs, messages);
            if (messages == 1) {
                schedule.advance();
            } else {
                schedule.skip(messages - messages / 2);
            }
            left -= messages;
            if (--stepsOfLength == 0) {
                length *= 2;
                stepsOfLength = STEPS_OF_A_LENGTH;
            }
        }
    }
}
