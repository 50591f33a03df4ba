package io.openmessaging.benchmark.measure;

import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * The times at which the messages of a load were in flight, epoch nanoseconds.
 *
 * @param firstSentNs when the first message was handed to the client; empty if this worker sent none
 * @param lastSentNs when the last message was handed to the client
 * @param firstAcknowledgedNs when the first message was confirmed; empty if none has been
 * @param lastAcknowledgedNs when the last message so far was confirmed; empty if none of the load has been
 * @param lastArrivedNs when the last message so far arrived; empty if none has arrived since the first was sent, or,
 *     if none was sent, since the load was to start
 */
public record LoadSpan(
        Optional<Long> firstSentNs,
        Optional<Long> lastSentNs,
        Optional<Long> firstAcknowledgedNs,
        Optional<Long> lastAcknowledgedNs,
        Optional<Long> lastArrivedNs) {

    /** Returns the duration of sending: from the first send to the last. */
    public long sendNs() {
        return between(firstSentNs, lastSentNs);
    }

    /**
     * Returns the duration of publishing: the duration of sending, or from the first confirmation to the last if that
     * is longer, since a client may accept messages faster than the system does. The latency of a single message is
     * not part of it.
     */
    public long publishNs() {
        return Math.max(sendNs(), between(firstAcknowledgedNs, lastAcknowledgedNs));
    }

    private static long between(Optional<Long> first, Optional<Long> last) {
        return first.isPresent() && last.isPresent() ? last.get() - first.get() : 0;
    }

    /** Returns this span by a clock that is ahead by the given time. */
    public LoadSpan movedBy(long ns) {
        return new LoadSpan(
                firstSentNs.map(at -> at + ns),
                lastSentNs.map(at -> at + ns),
                firstAcknowledgedNs.map(at -> at + ns),
                lastAcknowledgedNs.map(at -> at + ns),
                lastArrivedNs.map(at -> at + ns));
    }

    /**
     * Merges the spans of one load at two workers. The length of a period is the observer's choice, but the span of a
     * load covers all of its messages: it ends when the last worker has finished.
     */
    public LoadSpan mergedWith(LoadSpan other) {
        return new LoadSpan(
                merged(firstSentNs, other.firstSentNs, Math::min),
                merged(lastSentNs, other.lastSentNs, Math::max),
                merged(firstAcknowledgedNs, other.firstAcknowledgedNs, Math::min),
                merged(lastAcknowledgedNs, other.lastAcknowledgedNs, Math::max),
                merged(lastArrivedNs, other.lastArrivedNs, Math::max));
    }

    private static Optional<Long> merged(Optional<Long> one, Optional<Long> other, BinaryOperator<Long> of) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(of.apply(one.get(), other.get()))
                : one.or(() -> other);
    }
}
