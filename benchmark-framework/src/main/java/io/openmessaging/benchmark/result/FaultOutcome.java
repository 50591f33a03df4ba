package io.openmessaging.benchmark.result;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a fault did to the system and to the messages. docs/METHODOLOGY.md has the definitions; times in seconds have steps of
 * 0.1 s, since messages are counted in slots of that length, gaps between acknowledgements steps of 0.01 s.
 *
 * @param event the fault itself
 * @param detectedSeconds from its begin to the first message that was late or failed, or slow for another reason than chance;
 *     null if none was
 * @param downSeconds the longest gap between acknowledgements while messages were due
 * @param partlyDownSeconds how long there was such a gap for at least one topic, but not for all
 * @param degradedSeconds how long the rest took until the system had recovered: less than was due acknowledged, or late
 * @param failoverSeconds from its begin to the end of its longest gap; null if that was not before the end of the fault, or
 *     if the system was never down
 * @param recoveredSeconds from when it was taken back until the system was as before; null if it never was
 * @param caughtUpSeconds the same for the consumers
 * @param messages what became of the messages that were to be sent from 2 s before it to 2 s before the next one
 * @param errors how many errors of each kind came from its begin to the begin of the next one, or the end of the run
 */
public record FaultOutcome(
        Event event,
        @Nullable Double detectedSeconds,
        double downSeconds,
        double partlyDownSeconds,
        double degradedSeconds,
        @Nullable Double failoverSeconds,
        @Nullable Double recoveredSeconds,
        @Nullable Double caughtUpSeconds,
        Messages messages,
        Map<String, Long> errors) {

    public FaultOutcome {
        errors = Collections.unmodifiableMap(new TreeMap<>(errors));
    }

    /**
     * A fault as it came about. All times are epoch nanoseconds.
     *
     * @param what was done, in words
     * @param orderedNs when it was ordered; it had taken effect by {@code begunNs}
     * @param undoOrderedNs when it was ordered that it be taken back; that was done by {@code undoneNs}
     * @param problem why it did not take effect, or was not undone; null if it was
     * @param output what commands have printed
     * @param errorsBefore how many errors of each kind there had been before it
     */
    public record Event(
            String what,
            long orderedNs,
            long begunNs,
            long undoOrderedNs,
            long undoneNs,
            @Nullable String problem,
            List<String> output,
            Map<String, Long> errorsBefore) {

        public Event {
            output = List.copyOf(output);
            errorsBefore = Map.copyOf(errorsBefore);
        }
    }

    /**
     * What became of messages, over all subscriptions.
     *
     * @param sent messages handed to clients
     * @param failed those that were refused or given up
     * @param acknowledgedLost those that were acknowledged and never arrived, and that a fresh consumer did not find either
     * @param undelivered those that were acknowledged and had not arrived when the run stopped waiting, and are not known to
     *     be lost
     * @param foundAnew those of them that a fresh consumer found in the system; null if none was missing, or if the system
     *     was not read again
     * @param failedButReceived those that were reported as failed and arrived nevertheless
     * @param duplicated arrivals of messages that had arrived before; by the time of arrival, at the periods' ends
     * @param outOfOrder those that arrived after a later one
     * @param inDoubt those of which nobody can tell
     */
    public record Messages(
            long sent,
            long failed,
            long acknowledgedLost,
            long undelivered,
            @Nullable Long foundAnew,
            long failedButReceived,
            long duplicated,
            long outOfOrder,
            long inDoubt) {

        /** How many a fresh consumer found. */
        public long found() {
            return foundAnew == null ? 0 : foundAnew;
        }
    }

    /**
     * A time in which the system did not answer as before.
     *
     * @param state what it was
     * @param startNs its begin, epoch nanoseconds
     * @param endNs its end
     */
    public record Window(SystemState state, long startNs, long endNs) {}

    /** How the system answers. */
    public enum SystemState {
        /** Nothing was acknowledged while messages were due. */
        DOWN,
        /** Less than 99 % of what was due was acknowledged within a second, or 1 % of it took more than three times as long as before the first fault. */
        DEGRADED
    }

    /**
     * All faults of a run.
     *
     * @param faults in their order
     * @param availability the windows of the measurement, in their order
     * @param before what became of the messages that were to be sent before the first fault
     * @param baselineP99Ns the median of the p99s that the publish latency from the intended send had in single seconds
     *     before the first fault; 0 without a message
     */
    public record FaultReport(
            List<FaultOutcome> faults, List<Window> availability, Messages before, long baselineP99Ns) {

        public FaultReport {
            faults = List.copyOf(faults);
            availability = List.copyOf(availability);
        }

        /** The longest time without an acknowledgement of all faults; this is what a bound is for. */
        public double downSeconds() {
            return faults.stream().mapToDouble(FaultOutcome::downSeconds).max().orElse(0);
        }

        /** How long it was degraded, over all faults. */
        public double degradedSeconds() {
            return faults.stream().mapToDouble(FaultOutcome::degradedSeconds).sum();
        }

        /** The longest time of all faults; null if none has one. */
        public @Nullable Double longest(Function<FaultOutcome, @Nullable Double> seconds) {
            return faults.stream()
                    .map(seconds)
                    .filter(Objects::nonNull)
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }

        /** The longest time of all faults; null if one of them has none, which no time is as long as. */
        public @Nullable Double longestOfEach(Function<FaultOutcome, @Nullable Double> seconds) {
            return faults.stream().map(seconds).allMatch(Objects::nonNull) ? longest(seconds) : null;
        }

        /** After how many faults the system never was as before. */
        public long notRecovered() {
            return faults.stream()
                    .filter(fault -> fault.recoveredSeconds() == null)
                    .count();
        }

        /** How many messages a fresh consumer found that had not reached a subscription, those before the first fault included. */
        public long foundAnew() {
            return allMessages().mapToLong(Messages::found).sum();
        }

        /** Whether each message that had not arrived when the run stopped waiting is known to be in the system. */
        public boolean allUndeliveredFound() {
            return allMessages().allMatch(each -> each.undelivered == each.found());
        }

        private Stream<Messages> allMessages() {
            return Stream.concat(Stream.of(before), faults.stream().map(FaultOutcome::messages));
        }

        /** How many acknowledged messages were lost from the first fault on. */
        public long acknowledgedLost() {
            return sum(Messages::acknowledgedLost);
        }

        /** The messages of one kind, over all faults. */
        public long sum(ToLongFunction<Messages> kind) {
            return faults.stream().map(FaultOutcome::messages).mapToLong(kind).sum();
        }
    }
}
