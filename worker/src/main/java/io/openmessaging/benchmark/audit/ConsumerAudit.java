package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.measure.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes which messages one consumer got. {@link #note} is called by one thread at a time, as a driver promises for each
 * consumer, and {@link #close()} after the last of them.
 *
 * <p>A message that follows the newest one seen of its producer costs a compare and an increment. Whatever else comes is
 * noted as a bit in one of a few open pages of 8,192 sequence numbers; a page that has to make room goes to the {@link
 * SubscriptionAudit}, and so does a run that is longer than a page. So the memory is bounded during a run, and nothing is forgotten.
 *
 * <p>A message counts as out of order when it comes for the first time, after a later one of the same producer and
 * partition had come to the same consumer. One that comes again counts as duplicated, not as out of order, no matter
 * which consumer it comes to.
 */
public final class ConsumerAudit {

    /** More than any run can send: a larger number in a message is a damaged one. */
    private static final long MAX_SEQUENCE = (1L << 44) - 1;

    /** All numbers from one to below another. */
    record SequenceRun(long from, long to) {}

    private static final VarHandle TRACK = MethodHandles.arrayElementVarHandle(Track[].class);
    private static final VarHandle RUN_START;

    static {
        try {
            RUN_START = MethodHandles.lookup().findVarHandle(Track.class, "runStart", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SubscriptionAudit subscription;
    private final int firstProducer;
    private final int partitions;
    private final @Nullable Track[] tracks;
    private long damaged;

    /** Messages that came to this consumer again, as far as it knows: it is written only when one does. */
    private final Counter duplicated = new Counter();

    /** What of those belongs to a search, if there is one, by {@link #marks}. */
    private long duplicatedInSearch;

    /** Where the search ended when this consumer last looked. */
    private long @Nullable [] marks;

    /**
     * Nothing has come yet.
     *
     * @param subscription gets what was noted
     * @param firstProducer the number of the topic's first producer; the others follow
     * @param producerCount how many producers the topic has
     * @param partitions how many partitions the topic has
     */
    public ConsumerAudit(SubscriptionAudit subscription, int firstProducer, int producerCount, int partitions) {
        this.subscription = subscription;
        this.firstProducer = firstProducer;
        this.partitions = partitions;
        this.tracks = new Track[producerCount];
        subscription.join(this);
    }

    /** How many messages came again, as far as this consumer knows. For any thread, at any time. */
    long duplicated() {
        return duplicated.get();
    }

    /** What of those belongs to a search, if there is one. Once the consumer is closed. */
    long duplicatedInSearch() {
        return subscription.measuredFrom() == marks ? duplicatedInSearch : duplicated.get();
    }

    int firstProducer() {
        return firstProducer;
    }

    int producerCount() {
        return tracks.length;
    }

    /** The newest run of consecutive numbers that has come of a producer, counted from 0. For any thread, at any time. */
    Optional<SequenceRun> newestRun(int producerIndex) {
        Track track = (Track) TRACK.getAcquire(tracks, producerIndex);
        return track == null ? Optional.empty() : track.newestRun();
    }

    /** Whether the topic has such a producer. */
    public boolean knows(int producer) {
        int index = producer - firstProducer;
        return index >= 0 && index < tracks.length;
    }

    /** Whether a message of the topic can have this producer and sequence number. */
    public boolean accepts(int producer, long sequence) {
        return knows(producer) && sequence >= 0 && sequence <= MAX_SEQUENCE;
    }

    /**
     * The newest sequence number that has come of a producer from a partition; of any partition before the first from
     * that one, and -1 before the first of all.
     */
    public long newest(int producer, int partition) {
        return track(producer).newest(partition);
    }

    /** A message has come, with a producer and sequence number that {@linkplain #accepts can be}. */
    public void note(int producer, long sequence, int partition) {
        track(producer).note(sequence, partition);
    }

    /** A message has come with another content than was sent. */
    public void noteDamaged() {
        damaged++;
    }

    private Track track(int producer) {
        int index = producer - firstProducer;
        Track track = tracks[index];
        if (track == null) {
            track = new Track(producer);
            TRACK.setRelease(tracks, index, track);
        }
        return track;
    }

    /** Hands over everything that was noted. The consumer gets no more messages. */
    public void close() {
        for (Track track : tracks) {
            if (track != null) {
                track.close();
            }
        }
        Arrays.fill(tracks, null);
        subscription.addDamaged(damaged);
        damaged = 0;
        subscription.leave(this);
    }

    /** What has come of one producer. */
    private final class Track {

        private final int producer;

        /** The newest run without a gap: from runStart to below the next number. All the rest is in pages. */
        private long runStart;

        private final Counter next = new Counter();

        /** The newest sequence number of each partition; null where one partition makes it the same as next - 1. */
        private final long @Nullable [] newestOf;

        private @Nullable OpenPages pages;

        /** How many came, without the newest run. */
        private long receivedBesides;

        Track(int producer) {
            this.producer = producer;
            this.newestOf = partitions == 1 ? null : new long[partitions];
            if (newestOf != null) {
                Arrays.fill(newestOf, -1);
            }
        }

        long newest(int partition) {
            return newestOf == null || newestOf[partition] < 0 ? next.get() - 1 : newestOf[partition];
        }

        void note(long sequence, int partition) {
            long expected = next.get();
            if (sequence == expected) {
                next.set(expected + 1);
                if (newestOf != null) {
                    newestOf[partition] = sequence;
                }
            } else if (sequence > expected) {
                endRun();
                beginRun(sequence, partition);
            } else {
                noteLate(sequence, partition);
            }
        }

        Optional<SequenceRun> newestRun() {
            long to = next.get();
            long from = (long) RUN_START.getOpaque(this);
            return from < to ? Optional.of(new SequenceRun(from, to)) : Optional.empty();
        }

        private void endRun() {
            long start = runStart;
            long end = next.get();
            // Before it is handed over: who finds it there must not find it here as well.
            RUN_START.setOpaque(this, end);
            receivedBesides += end - start;
            setRange(start, end);
        }

        private void beginRun(long sequence, int partition) {
            // Before the end, which a reader reads first: it may find an empty run, but none that never was.
            RUN_START.setOpaque(this, sequence);
            next.set(sequence + 1);
            if (newestOf != null) {
                newestOf[partition] = sequence;
            }
        }

        private void noteLate(long sequence, int partition) {
            receivedBesides++;
            if (sequence >= runStart || !openPages().set(sequence)) {
                countDuplicate(sequence);
            } else if (newestOf != null && sequence > newestOf[partition]) {
                newestOf[partition] = sequence;
            } else if (!subscription.addLate(producer, sequence)) {
                openPages().clear(sequence);
                countDuplicate(sequence);
            }
        }

        private void countDuplicate(long sequence) {
            long[] now = subscription.measuredFrom();
            if (now != marks) {
                // Nothing that is measured was sent before they came: what came twice until then is of the search.
                marks = now;
                duplicatedInSearch = duplicated.get();
            }
            duplicated.add(1);
            if (SubscriptionAudit.mayBeOfSearch(now, producer, sequence)) {
                duplicatedInSearch++;
            }
        }

        private void setRange(long from, long to) {
            if (to - from >= SequenceSet.PAGE_LENGTH) {
                subscription.addRange(producer, from, to);
            } else if (from < to) {
                openPages().setRange(from, to);
            }
        }

        private OpenPages openPages() {
            if (pages == null) {
                pages = new OpenPages((page, bits) -> subscription.addPage(producer, page, bits));
            }
            return pages;
        }

        void close() {
            long start = runStart;
            long end = next.get();
            RUN_START.setOpaque(this, end);
            subscription.addRange(producer, start, end);
            if (pages != null) {
                pages.close();
            }
            subscription.addReceived(receivedBesides + end - start);
        }
    }
}
