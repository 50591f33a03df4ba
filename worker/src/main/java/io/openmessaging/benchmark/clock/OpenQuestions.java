package io.openmessaging.benchmark.clock;

/**
 * Questions that were sent and not answered, and when: so an answer that comes twice, or to no question, is recognised. The
 * newest 256 are known: enough for four bursts on their way at a time. Not thread-safe.
 */
final class OpenQuestions {

    /** There is no such question. */
    static final long NONE = -1;

    private static final int MAX = 256;

    private final long[] numbers = new long[MAX];
    private final long[] sentNs = new long[MAX];

    void sent(long number, long atNs) {
        int place = place(number);
        numbers[place] = number;
        sentNs[place] = atNs;
    }

    /** When the question was sent to which this is the answer, the first one; {@link #NONE} if it is none. */
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
