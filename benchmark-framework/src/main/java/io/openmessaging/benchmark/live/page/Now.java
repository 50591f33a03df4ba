package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.WorkerState;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run at one moment, apart from its figures.
 *
 * @param phase current phase; empty before the first phase and after the end of the run
 * @param leftMs time until the end of the phase, in milliseconds; null if unknown
 * @param verdict verdict that would follow from the findings; null if nothing can be said before the end
 * @param findings findings, in the order in which they were first found
 * @param errors errors of sends and of the client, by kind
 * @param faults faults that have been ordered, in order
 * @param workers workers on other machines or in separate processes, in order
 */
record Now(
        String phase,
        @Nullable Long leftMs,
        @Nullable String verdict,
        List<FindingRow> findings,
        Map<String, Long> errors,
        List<FaultNow> faults,
        List<Worker> workers) {

    private static final long NS_PER_MS = 1_000_000;

    /**
     * The state of a fault.
     *
     * @param what description of the fault
     * @param orderedMs time of the order, epoch milliseconds
     * @param begunMs time by which it had taken effect; null before
     * @param undoneMs time by which it had been undone; null before
     * @param problem reason that it did not take effect, or was not undone; null if nothing is wrong
     */
    record FaultNow(
            String what,
            long orderedMs,
            @Nullable Long begunMs,
            @Nullable Long undoneMs,
            @Nullable String problem) {

        static FaultNow of(FaultState state) {
            String problem = state.problem();
            return new FaultNow(
                    FindingRow.shortened(state.what()),
                    state.orderedNs() / NS_PER_MS,
                    ms(state.begunNs()),
                    ms(state.undoneNs()),
                    problem == null ? null : FindingRow.shortened(problem));
        }

        private static @Nullable Long ms(OptionalLong ns) {
            return ns.isPresent() ? ns.getAsLong() / NS_PER_MS : null;
        }
    }

    /**
     * The state of a worker.
     *
     * @param name name for people
     * @param state {@code up}, {@code silent} or {@code lost: why}
     * @param aheadNs offset of its clock, ahead of the coordinator's; null if unknown
     * @param boundNs possible error of that offset
     * @param roundTripNs median round-trip time of the latest requests
     * @param sentMsgPerSec messages sent per second in the last period; null before the first
     * @param receivedMsgPerSec messages received per second in the last period; null before the first
     */
    record Worker(
            String name,
            String state,
            @Nullable Long aheadNs,
            @Nullable Long boundNs,
            long roundTripNs,
            @Nullable Double sentMsgPerSec,
            @Nullable Double receivedMsgPerSec) {

        static Worker of(WorkerState state, @Nullable Double sentMsgPerSec, @Nullable Double receivedMsgPerSec) {
            return new Worker(
                    state.name(),
                    state.lost()
                            .map(why -> "lost: " + FindingRow.shortened(why))
                            .orElse(state.suspect() ? "silent" : "up"),
                    state.clock().map(clock -> clock.aheadNs()).orElse(null),
                    state.clock().map(clock -> clock.boundNs()).orElse(null),
                    state.roundTripNs(),
                    sentMsgPerSec,
                    receivedMsgPerSec);
        }
    }
}
