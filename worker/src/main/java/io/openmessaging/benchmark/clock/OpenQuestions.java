package io.openmessaging.benchmark.clock;

/**
 * The unanswered questions and their send times, so that a repeated answer, or an answer to no question, is
 * recognised. Only the newest 256 are known: enough for four bursts in flight at a time. Not thread-safe.
 */
final class OpenQuestions {

    /** Means that there is no such question. */
    static final long NONE = -1;

    private static final int MAX = 256;

    private final long[] numbers = new long[MAX];
    private final long[] sentNs = new long[MAX];

    void sent(long number, long atNs) {
        int place = place(number);
        numbers[place] = number;
        sentNs[place] = atNs;
    }

    /**
     * Closes the question of an answer and returns when it was sent; {@link #NONE} if the answer belongs to no open
     * question.
     */
    long answered(long number) {
        int place = place(number);
        if (number <= 0 || numbers[place] != number) {
            return NONE;
        }
        numbers[place] = 0;
        return sentNs[place];
    }

    private static int place(long number) {
        return (int) (number & MAX - 1);
    }
}
