package io.openmessaging.benchmark.audit;

/**
 * The messages of one producer that have arrived for a subscription, merged from parts that do not know each other:
 * the pages of its consumers, then its consumers on several workers. Not thread-safe.
 *
 * <p>A number that also occurs in a second part is a duplicate, which neither part could know. If one of the two parts
 * counted it as out of order, that is taken back.
 */
final class ArrivedMessages {

    private final SequenceSet numbers = new SequenceSet();

    /**
     * Messages that arrived after a later one and, as far as is known, at only one consumer. Their part may not have
     * been added yet.
     */
    private final SequenceSet late = new SequenceSet();

    /** Adds a part; returns the numbers of it that were already present. */
    SequenceSet add(SequenceSet part) {
        SequenceSet again = numbers.common(part);
        late.removeAll(again);
        numbers.addAll(part);
        return again;
    }

    /** Notes that a message arrived after a later one; does nothing and returns false if it is already present. */
    boolean addLate(long sequence) {
        if (numbers.contains(sequence)) {
            return false;
        }
        late.add(sequence);
        return true;
    }

    /** Adds what another worker knows; returns the messages that both know. */
    SequenceSet addAll(AuditPart.Arrived other) {
        SequenceSet again = numbers.common(other.numbers());
        late.addAll(other.outOfOrder());
        late.removeAll(again);
        numbers.addAll(other.numbers());
        return again;
    }

    /** Returns how many numbers in a range have arrived; the end is exclusive. */
    long countIn(long from, long to) {
        return numbers.countIn(from, to);
    }

    /** Returns a copy of what is known now. */
    AuditPart.Arrived arrived() {
        return new AuditPart.Arrived(numbers.copy(), late.copy());
    }
}
