package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.measure.PublishStats;

/** What a load owes when it ends: the messages that were due, but never sent. */
final class Debt {

    /** So many messages are told one by one. */
    static final long EXACT_MESSAGES = 1 << 20;

    /** Of further ones, so many steps are made before the next are twice as long: some 20 of them reach any number. */
    private static final long STEPS_OF_A_LENGTH = 1 << 16;

    private Debt() {}

    /**
     * Walks a schedule, whose use ends with that, over what was due. Each message is told with how long it has waited;
     * beyond {@link #EXACT_MESSAGES} the one in the middle of a step stands for all of it, so that a debt of any size takes
     * some two million steps at most.
     *
     * @param schedule as far as messages were sent
     * @param dueByNs when the load was to end: what is due later is not owed
     * @param mostMessages how many messages were left to be sent at most
     * @param endNs until when messages have waited
     * @param stats is told
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
