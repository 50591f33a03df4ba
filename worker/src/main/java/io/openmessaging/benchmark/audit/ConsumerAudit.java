package io.openmessaging.benchmark.audit;

import io.openmessaging.benchmark.measure.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes which messages one consumer received. {@link #note} is called by one thread at a time, as a driver promises
 * for each consumer, and {@link #close()} after the last message.
 *
 * <p>A message that directly follows the newest one of its producer costs a comparison and an increment. Any other
 * message is noted as a bit in one of a few open pages of 8,192 sequence numbers. A page that must make room is handed
 * over to the {@link SubscriptionAudit}, and so is a run that is longer than a page. So memory is bounded during a
 * run, and nothing is forgotten.
 *
 * <p>A message counts as out of order if it arrives for the first time after a later one of the same producer and
 * partition had arrived at the same consumer. A repeated message counts as duplicated, not as out of order, whichever
 * consumer it arrives at.
 */
public final class ConsumerAudit {

    /** More than any run can send: a larger sequence number means that the message is damaged. */
    private static final long MAX_SEQUENCE = (1L << 44) - 1;

    /** All numbers from {@code from} to below {@code to}. */
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

    /** Number of repeated messages, as far as this consumer knows: written only when one arrives. */
    private final Counter duplicated = new Counter();

    /** Number of those that belong to a search, if there is one, by {@link #marks}. */
    private long duplicatedInSearch;

    /** The end of the search, as of this consumer's last look. */
    private long @Nullable [] marks;

    /**
     * Creates the audit of a consumer that has received nothing yet.
     *
     * @param subscription receives what was noted
     * @param firstProducer the number of the topic's first producer; the others follow
     * @param producerCount number of producers of the topic
     * @param partitions number of partitions of the topic
     */
    public ConsumerAudit(SubscriptionAudit subscription, int firstProducer, int producerCount, int partitions) {
        this.subscription = subscription;
        this.firstProducer = firstProducer;
        this.partitions = partitions;
        this.tracks = new Track[producerCount];
        subscription.join(this);
    }

    /** Returns the number of repeated messages, as far as this consumer knows. Called by any thread, at any time. */
    long duplicated() {
        return duplicated.get();
    }

    /** Returns how many of those belong to a search, if there is one. Called once the consumer is closed. */
    long duplicatedInSearch() {
        return subscription.measuredFrom() == marks ? duplicatedInSearch : duplicated.get();
    }

    int firstProducer() {
        return firstProducer;
    }

    int producerCount() {
        return tracks.length;
    }

    /**
     * Returns the newest run of consecutive numbers that arrived from a producer, given by its index from 0. Called by
     * any thread, at any time.
     */
    Optional<SequenceRun> newestRun(int producerIndex) {
        Track track = (Track) TRACK.getAcquire(tracks, producerIndex);
        return track == null ? Optional.empty() : track.newestRun();
    }

    /** Returns whether the topic has this producer. */
    public boolean knows(int producer) {
        int index = producer - firstProducer;
        return index >= 0 && index < tracks.length;
    }

    /** Returns whether a message of the topic can have this producer and sequence number. */
    public boolean accepts(int producer, long sequence) {
        return knows(producer) && sequence >= 0 && sequence <= MAX_SEQUENCE;
    }

    /**
     * Returns the newest sequence number that arrived from a producer in a partition; before the first message of that
     * partition, the newest of any partition; before the first of all, -1.
     */
    public long newest(int producer, int partition) {
        return track(producer).newest(partition);
    }

    /** Notes a message, with a producer and sequence number that are {@linkplain #accepts possible}. */
    public void note(int producer, long sequence, int partition) {
        track(producer).note(sequence, partition);
    }

    /** Notes a message whose content was damaged. */
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

    /** Hands over everything that was noted. The consumer receives no more messages. */
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

    /** The messages of one producer. */
    private final class Track {

        private final int producer;

        /** The newest run without a gap: from runStart to below the next number. All other numbers are in pages. */
        private long runStart;

        private final Counter next = new Counter();

        /** The newest sequence number of each partition; null with a single partition, where it equals next - 1. */
        private final long @Nullable [] newestOf;

        private @Nullable OpenPages pages;

        /** Number of messages outside of the newest run. */
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
            // Set before the run is handed over: a reader that finds the run there must not find it here as well.
            RUN_START.setOpaque(this, end);
            receivedBesides += end - start;
            setRange(start, end);
        }

        private void beginRun(long sequence, int partition) {
            // Set before the end, which readers read first: a reader may find an empty run, but never one that did not
            // exist.
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
                // No measured message was sent before the marks were set, so all earlier duplicates belong to the
                // search.
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
