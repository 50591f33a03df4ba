package io.openmessaging.benchmark.audit;

/**
 * Which messages of one producer have come for a subscription, put together from parts that know nothing of each other:
 * the pages of its consumers, then its consumers on several workers. Not thread-safe.
 *
 * <p>A number in a second part is a duplicate, which neither part could know. If one of the two had taken it for out of
 * order, that is taken back.
 */
final class ArrivedMessages {

    private final SequenceSet numbers = new SequenceSet();

    /** Those that came after a later one and, as far as is known, to one consumer. Their part may be still to come. */
    private final SequenceSet late = new SequenceSet();

    /** Adds a part; returns those of it that were there already. */
    SequenceSet add(SequenceSet part) {
        SequenceSet again = numbers.common(part);
        late.removeAll(again);
        numbers.addAll(part);
        return again;
    }

    /** Notes that a message came after a later one; does nothing and returns false if it is there already. */
    boolean addLate(long sequence) {
        if (numbers.contains(sequence)) {
            return false;
        }
        late.add(sequence);
        return true;
    }

    /** Adds what another worker knows; returns the messages that both have. */
    SequenceSet addAll(AuditPart.Arrived other) {
        SequenceSet again = numbers.common(other.numbers());
        late.addAll(other.outOfOrder());
        late.removeAll(again);
        numbers.addAll(other.numbers());
        return again;
    }

    /** How many numbers from one to below another have come. */
    long countIn(long from, long to) {
        return numbers.countIn(from, to);
    }

    /** What is known now. */
    AuditPart.Arrived arrived() {
        return new AuditPart.Arrived(numbers.copy(), late.copy());
    }
}
