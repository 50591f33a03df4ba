package io.openmessaging.benchmark.measure;

import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * When the messages of a load were on their way. Times are epoch nanoseconds.
 *
 * @param firstSentNs when the first of them was handed to the client
 * @param lastSentNs when the last of them was
 * @param firstAcknowledgedNs when the first of them was confirmed; empty if none has been
 * @param lastAcknowledgedNs when the last message was confirmed so far; empty if none of the load has been
 * @param lastArrivedNs when the last message arrived so far; empty if none has since the first was sent
 */
public record LoadSpan(
        long firstSentNs,
        long lastSentNs,
        Optional<Long> firstAcknowledgedNs,
        Optional<Long> lastAcknowledgedNs,
        Optional<Long> lastArrivedNs) {

    /** How long sending took: from the first send to the last. */
    public long sendNs() {
        return lastSentNs - firstSentNs;
    }

    /**
     * How long publishing took: sending, or from the first confirmation to the last if that is longer, since a client may
     * take messages faster than the system does. The way of a single message is not part of it.
     */
    public long publishNs() {
        long confirmingNs = firstAcknowledgedNs
                .flatMap(first -> lastAcknowledgedNs.map(last -> last - first))
                .orElse(0L);
        return Math.max(sendNs(), confirmingNs);
    }

    /**
     * The same load as another worker saw it, added. Other than a period's, whose length is the observer's choice, the
     * span of a load is that of all its messages: it ends when the last worker has come to its end.
     */
    public LoadSpan mergedWith(LoadSpan other) {
        return new LoadSpan(
                Math.min(firstSentNs, other.firstSentNs),
                Math.max(lastSentNs, other.lastSentNs),
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
