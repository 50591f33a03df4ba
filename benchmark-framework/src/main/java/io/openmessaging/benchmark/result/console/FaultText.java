package io.openmessaging.benchmark.result.console;

import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.result.FaultOutcome.Messages;
import io.openmessaging.benchmark.result.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes a fault and its effects in one line. */
final class FaultText {

    private FaultText() {}

    /**
     * Returns the line.
     *
     * @param startNs start of the measurement, epoch nanoseconds
     * @param consumed true if there were consumers
     */
    static String of(FaultOutcome fault, long startNs, boolean consumed) {
        Event event = fault.event();
        List<String> parts = new ArrayList<>();
        parts.add(String.format(
                Locale.ROOT,
                "%s at %.1f s for %.1f s",
                event.what(),
                (event.orderedNs() - startNs) / 1e9,
                (event.undoOrderedNs() - event.orderedNs()) / 1e9));
        if (event.problem() != null) {
            parts.add("not as planned: " + event.problem());
        }
        addOutage(parts, fault);
        if (consumed) {
            parts.add(after("consumers caught up", "consumers did not catch up", fault.caughtUpSeconds()));
        }
        addMessages(parts, fault.messages());
        fault.errors().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .ifPresent(
                        most -> parts.add("mostly " + most.getKey() + " (" + Quantities.count(most.getValue()) + ")"));
        return String.join(" · ", parts);
    }

    private static void addOutage(List<String> parts, FaultOutcome fault) {
        Double detected = fault.detectedSeconds();
        parts.add(detected == null ? "not noticed by any message" : "noticed after " + seconds(detected));
        String partly = fault.partlyDownSeconds() > 0 ? ", for one topic " + seconds(fault.partlyDownSeconds()) : "";
        parts.add("down " + seconds(fault.downSeconds()) + partly + ", degraded " + seconds(fault.degradedSeconds()));
        Double failover = fault.failoverSeconds();
        if (failover != null) {
            parts.add("answered again after " + seconds(failover));
        }
        parts.add(after("recovered", "has not recovered", fault.recoveredSeconds()));
    }

    private static String after(String done, String never, @Nullable Double seconds) {
        return seconds == null ? never : done + " " + seconds(seconds) + " after its end";
    }

    private static void addMessages(List<String> parts, Messages messages) {
        String found = messages.foundAnew() == null
                ? ""
                : ", not delivered but found by a fresh consumer " + Quantities.count(messages.found());
        parts.add("acknowledged and lost " + Quantities.count(messages.acknowledgedLost()) + found);
        parts.add("failed " + Quantities.count(messages.failed()) + ", of which arrived "
                + Quantities.count(messages.failedButReceived()));
        parts.add("duplicated " + Quantities.count(messages.duplicated()));
        parts.add("out of order " + ifJudged(messages.outOfOrder()));
        long unknown = messages.undelivered() - messages.found() + messages.inDoubt();
        if (unknown > 0) {
            parts.add("undelivered or in doubt " + Quantities.count(unknown));
        }
    }

    /** Returns a count; null is one that the driver does not let anybody judge. */
    static String ifJudged(@Nullable Long count) {
        return count == null ? "not judged" : Quantities.count(count);
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f s", seconds);
    }
}
