package io.openmessaging.benchmark.audit;

import java.util.Arrays;

/**
 * A few pages of 8,192 bits, one for each sequence number, that are still being written. Each page number maps to one
 * place; a page that occupies the place is handed over. Not thread-safe.
 */
final class OpenPages {

    /** Receives the pages that had to make room for others. Must not keep the array, which is reused. */
    interface Receiver {
        void take(long page, long[] bits);
    }

    /**
     * Enough places for the partitions of a topic to drift apart by some 30,000 messages of a producer without a
     * hand-over.
     */
    private static final int PLACES = 4;

    private static final int WORDS = SequenceSet.PAGE_LENGTH / Long.SIZE;
    private static final long NO_PAGE = -1;

    private final Receiver receiver;
    private final long[] pageAt = new long[PLACES];
    private final long[][] bitsAt = new long[PLACES][];

    OpenPages(Receiver receiver) {
        this.receiver = receiver;
        Arrays.fill(pageAt, NO_PAGE);
    }

    /** Sets a bit; returns false if it was set already. */
    boolean set(long sequence) {
        long[] bits = open(sequence >>> SequenceSet.PAGE_BITS);
        int word = (int) (sequence & SequenceSet.PAGE_LENGTH - 1) >>> 6;
        long bit = 1L << sequence;
        boolean absent = (bits[word] & bit) == 0;
        bits[word] |= bit;
        return absent;
    }

    /** Undoes the last {@link #set} of this number. */
    void clear(long sequence) {
        long[] bits = open(sequence >>> SequenceSet.PAGE_BITS);
        bits[(int) (sequence & SequenceSet.PAGE_LENGTH - 1) >>> 6] &= ~(1L << sequence);
    }

    /** Sets the bits from {@code from} to below {@code to}. */
    void setRange(long from, long to) {
        for (long sequence = from; sequence < to; ) {
            long[] bits = open(sequence >>> SequenceSet.PAGE_BITS);
            long endOfWord = Math.min(to, (sequence | Long.SIZE - 1) + 1);
            int count = (int) (endOfWord - sequence);
            bits[(int) (sequence & SequenceSet.PAGE_LENGTH - 1) >>> 6] |= -1L >>> (Long.SIZE - count) << sequence;
            sequence = endOfWord;
        }
    }

    private long[] open(long page) {
        int place = (int) (page & PLACES - 1);
        if (pageAt[place] == page) {
            return bitsAt[place];
        }
        if (pageAt[place] == NO_PAGE) {
            bitsAt[place] = new long[WORDS];
        } else {
            receiver.take(pageAt[place], bitsAt[place]);
            Arrays.fill(bitsAt[place], 0);
        }
        pageAt[place] = page;
        return bitsAt[place];
    }

    /** Hands over all pages; the object must not be used afterwards. */
    void close() {
        for (int place = 0; place < PLACES; place++) {
            if (pageAt[place] != NO_PAGE) {
                receiver.take(pageAt[place], bitsAt[place]);
            }
        }
    }
}
