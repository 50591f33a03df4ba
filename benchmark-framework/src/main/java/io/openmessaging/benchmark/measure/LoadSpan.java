package io.openmessaging.benchmark.measure;

import java.util.Optional;

/**
 * When the messages of a load were on their way. Times are epoch nanoseconds.
 *
 * @param firstSentNs when the first of them was handed to the client
 * @param lastSentNs when the last of them was
 * @param lastArrivedNs when the last message arrived so far; empty if none has since the first was sent
 */
public record LoadSpan(long firstSentNs, long lastSentNs, Optional<Long> lastArrivedNs) {

    /** The same load as another worker saw it, added. */
    public LoadSpan mergedWith(LoadSpan other) {
        Optional<Long> lastArrived = lastArrivedNs.isPresent() && other.lastArrivedNs.isPresent()
                ? Optional.of(Math.max(lastArrivedNs.get(), other.lastArrivedNs.get()))
                : lastArrivedNs.or(() -> other.lastArrivedNs);
        return new LoadSpan(
                Math.min(firstSentNs, other.firstSentNs), Math.max(lastSentNs, other.lastSentNs), lastArrived);
    }
}
