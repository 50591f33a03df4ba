package io.openmessaging.benchmark.result;

import io.openmessaging.benchmark.audit.AuditReport;
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
 * The effect of a fault on the system and the messages. docs/METHODOLOGY.md has the definitions. Gaps between
 * acknowledgements have steps of 0.01 s; other times in seconds have steps of 0.1 s, since messages are counted in
 * slots of that length.
 *
 * @param event the fault itself
 * @param detectedSeconds time from the start of the fault to the first message that was late or failed, or slow for
 *     another reason than chance; null if there was none
 * @param downSeconds the longest gap between acknowledgements while messages were due
 * @param partlyDownSeconds total time of such a gap for at least one topic, but not for all
 * @param degradedSeconds time until the system had recovered, apart from {@code downSeconds}, in which it acknowledged
 *     less than was due, or late
 * @param failoverSeconds time from the start of the fault to the end of its longest gap; null if that gap did not end
 *     before the end of the fault, or if the system was never down
 * @param recoveredSeconds time from the undoing of the fault until the system was as before; null if it never was
 * @param caughtUpSeconds time from the undoing of the fault until the consumers had caught up; null if they never did
 * @param messages the outcome of messages due from 2 s before this fault to 2 s before the next
 * @param errors number of errors by kind, from the start of this fault to the start of the next, or to the end of the
 *     run
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
     * A fault as it happened. All times are epoch nanoseconds.
     *
     * @param what description of the fault
     * @param orderedNs time of the order; the fault had taken effect by {@code begunNs}
     * @param undoOrderedNs time of the order to undo the fault; it was undone by {@code undoneNs}
     * @param problem the reason that the fault did not take effect or was not undone; null if all went well
     * @param output output of the commands
     * @param errorsBefore number of errors by kind before the fault
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
     * The outcome of messages, over all subscriptions.
     *
     * @param sent messages handed to clients
     * @param failed messages refused or given up
     * @param acknowledgedLost messages acknowledged that never arrived and that a fresh consumer did not find either
     * @param undelivered messages acknowledged that had not arrived when the run stopped waiting and are not known to
     *     be lost
     * @param foundAnew undelivered messages that a fresh consumer found in the system; null if none was missing, or if
     *     the system was not read again
     * @param failedButReceived messages reported as failed that arrived nevertheless
     * @param duplicated arrivals of messages that had arrived before; by time of arrival, at the ends of periods
     * @param outOfOrder messages that arrived after a later one; null if the driver does not tell partitions
     * @param inDoubt messages whose outcome nobody can tell
     */
    public record Messages(
            long sent,
            long failed,
            long acknowledgedLost,
            long undelivered,
            @Nullable Long foundAnew,
            long failedButReceived,
            long duplicated,
            @Nullable Long outOfOrder,
            long inDoubt) {

        /** Returns the number of messages that a fresh consumer found. */
        public long found() {
            return foundAnew == null ? 0 : foundAnew;
        }
    }

    /**
     * A time in which the system did not respond as before.
     *
     * @param state state of the system
     * @param startNs start, epoch nanoseconds
     * @param endNs end, epoch nanoseconds
     */
    public record Window(SystemState state, long startNs, long endNs) {}

    /** How the system responds. */
    public enum SystemState {
        /** Nothing was acknowledged while messages were due. */
        DOWN,
        /**
         * In a slot of 100 ms, less than 99 % of the messages due were acknowledged on time, or the p99 or the median
         * of the publish latency was more than three times as high as before the first fault.
         */
        DEGRADED
    }

    /**
     * All faults of a run.
     *
     * @param faults the faults, in order
     * @param availability the windows of the measurement, in order
     * @param before the outcome of messages due before the first fault
     * @param baselineP99Ns the median, over single seconds before the first fault, of the p99 of the publish latency
     *     from the intended send; 0 without a message
     */
    public record FaultReport(
            List<FaultOutcome> faults, List<Window> availability, Messages before, long baselineP99Ns) {

        public FaultReport {
            faults = List.copyOf(faults);
            availability = List.copyOf(availability);
        }

        /** Returns the longest time without an acknowledgement of all faults, which is what a bound applies to. */
        public double downSeconds() {
            return faults.stream().mapToDouble(FaultOutcome::downSeconds).max().orElse(0);
        }

        /** Returns the degraded time, over all faults. */
        public double degradedSeconds() {
            return faults.stream().mapToDouble(FaultOutcome::degradedSeconds).sum();
        }

        /** Returns the longest time of all faults; null if none has one. */
        public @Nullable Double longest(Function<FaultOutcome, @Nullable Double> seconds) {
            return faults.stream()
                    .map(seconds)
                    .filter(Objects::nonNull)
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }

        /** Returns the longest time of all faults; null if one of them has none, which is longer than any time. */
        public @Nullable Double longestOfEach(Function<FaultOutcome, @Nullable Double> seconds) {
            return faults.stream().map(seconds).allMatch(Objects::nonNull) ? longest(seconds) : null;
        }

        /** Returns the number of faults after which the system never recovered. */
        public long notRecovered() {
            return faults.stream()
                    .filter(fault -> fault.recoveredSeconds() == null)
                    .count();
        }

        /**
         * Returns the number of messages that had not reached a subscription but that a fresh consumer found,
         * including those before the first fault.
         */
        public long foundAnew() {
            return allMessages().mapToLong(Messages::found).sum();
        }

        /**
         * Returns whether each message that had not arrived when the run stopped waiting is known to be in the system.
         */
        public boolean allUndeliveredFound() {
            return allMessages().allMatch(each -> each.undelivered == each.found());
        }

        private Stream<Messages> allMessages() {
            return Stream.concat(Stream.of(before), faults.stream().map(FaultOutcome::messages));
        }

        /** Returns the number of acknowledged messages lost, from the first fault on. */
        public long acknowledgedLost() {
            return sum(Messages::acknowledgedLost);
        }

        /** Returns the number of messages out of order, over all faults; null if the driver does not tell partitions. */
        public @Nullable Long outOfOrder() {
            return AuditReport.sumIfKnown(faults.stream()
                    .map(FaultOutcome::messages)
                    .map(Messages::outOfOrder)
                    .toList());
        }

        /** Returns the number of messages of one kind, over all faults. */
        public long sum(ToLongFunction<Messages> kind) {
            return faults.stream().map(FaultOutcome::messages).mapToLong(kind).sum();
        }
    }
}
