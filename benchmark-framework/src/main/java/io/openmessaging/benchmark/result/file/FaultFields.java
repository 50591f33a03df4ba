package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.result.FaultOutcome;
import io.openmessaging.benchmark.result.FaultOutcome.Event;
import io.openmessaging.benchmark.result.RunResult;
import java.util.Locale;

/** The fields of the result file for the effects of faults; runs without faults have none of them. */
final class FaultFields {

    private FaultFields() {}

    static void add(Fields root, RunResult result) {
        FaultOutcome.FaultReport faults = result.course().faults();
        if (faults != null) {
            root.addEach("faults", faults.faults(), FaultFields::fault)
                    .add("faultBaselineP99Ns", faults.baselineP99Ns())
                    .add("beforeFaults", new Fields().addAll(faults.before()))
                    .add("faultTotals", totals(faults))
                    .addEach("availability", faults.availability(), FaultFields::window);
        }
    }

    /**
     * The figures by which runs are compared: sums of messages and degraded times, and the longest of the other times.
     */
    private static Fields totals(FaultOutcome.FaultReport faults) {
        return new Fields()
                .add("downSeconds", faults.downSeconds())
                .add("degradedSeconds", faults.degradedSeconds())
                .add("failoverSeconds", faults.longest(FaultOutcome::failoverSeconds))
                .add("recoveredSeconds", faults.longestOfEach(FaultOutcome::recoveredSeconds))
                .add("caughtUpSeconds", faults.longestOfEach(FaultOutcome::caughtUpSeconds))
                .add("notRecovered", faults.notRecovered())
                .add("acknowledgedLost", faults.acknowledgedLost())
                .add("failedButReceived", faults.sum(FaultOutcome.Messages::failedButReceived))
                .add("duplicated", faults.sum(FaultOutcome.Messages::duplicated))
                .add("outOfOrder", faults.outOfOrder());
    }

    private static Fields fault(FaultOutcome fault) {
        Event event = fault.event();
        return new Fields()
                .add("what", event.what())
                .add("problem", event.problem())
                .add("begin", interval(event.orderedNs(), event.begunNs()))
                .add("end", interval(event.undoOrderedNs(), event.undoneNs()))
                .add("detectedSeconds", fault.detectedSeconds())
                .add("downSeconds", fault.downSeconds())
                .add("partlyDownSeconds", fault.partlyDownSeconds())
                .add("degradedSeconds", fault.degradedSeconds())
                .add("failoverSeconds", fault.failoverSeconds())
                .add("recoveredSeconds", fault.recoveredSeconds())
                .add("caughtUpSeconds", fault.caughtUpSeconds())
                .add("messages", new Fields().addAll(fault.messages()))
                .add("errors", fault.errors().isEmpty() ? null : fault.errors())
                .add("output", event.output().isEmpty() ? null : event.output());
    }

    /** The span from the order to its completion. */
    private static Fields interval(long orderedNs, long doneNs) {
        return ResultJson.addSpan(new Fields(), orderedNs, doneNs);
    }

    private static Fields window(FaultOutcome.Window window) {
        return ResultJson.addSpan(
                new Fields().add("state", window.state().name().toLowerCase(Locale.ROOT)),
                window.startNs(),
                window.endNs());
    }
}
