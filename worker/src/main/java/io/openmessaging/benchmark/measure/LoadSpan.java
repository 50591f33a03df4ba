package io.openmessaging.benchmark.measure;

import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * When the messages of a load were on their way. Times are epoch nanoseconds.
 *
 * @param firstSentNs when the first of them was handed to the client; empty if none was, at this worker
 * @param lastSentNs when the last of them was
 * @param firstAcknowledgedNs when the first of them was confirmed; empty if none has been
 * @param lastAcknowledgedNs when the last message was confirmed so far; empty if none of the load has been
 * @param lastArrivedNs when the last message arrived so far; empty if none has since the first was sent, or,
 *     where none was, since the load was to begin
 */
public record LoadSpan(
        Optional<Long> firstSentNs,
        Optional<Long> lastSentNs,
        Optional<Long> firstAcknowledgedNs,
        Optional<Long> lastAcknowledgedNs,
        Optional<Long> lastArrivedNs) {

    /** How long sending took: from the first send to the last. */
    public long sendNs() {
        return between(firstSentNs, lastSentNs);
    }

    /**
     * How long publishing took: sending, or from the first confirmation to the last if that is longer, since a client may
     * take messages faster than the system does. The way of a single message is not part of it.
     */
    public long publishNs() {
        return Math.max(sendNs(), between(firstAcknowledgedNs, lastAcknowledgedNs));
    }

    private static long between(Optional<Long> first, Optional<Long> last) {
        return first.isPresent() && last.isPresent() ? last.get() - first.get() : 0;
    }

    /** The same by a clock that shows so much more. */
    public LoadSpan movedBy(long ns) {
        return new LoadSpan(
                firstSentNs.map(at -> at + ns),
                lastSentNs.map(at -> at + ns),
                firstAcknowledgedNs.map(at -> at + ns),
                lastAcknowledgedNs.map(at -> at + ns),
                lastArrivedNs.map(at -> at + ns));
    }

    /**
     * The same load as another worker saw it, added. Other than a period's, whose length is the observer's choice, the
     * span of a load is that of all its messages: it ends when the last worker has come to its end.
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
