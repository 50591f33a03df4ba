package io.openmessaging.benchmark.live.page;

import io.openmessaging.benchmark.run.FaultState;
import io.openmessaging.benchmark.run.WorkerState;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run at one moment of it, beside its figures.
 *
 * @param phase what it is doing; empty before its first phase and after its end
 * @param leftMs until the end of the phase, in milliseconds; null where that is not known
 * @param verdict what would follow from the findings; null where nothing can be told before the end
 * @param findings in the order in which they were first found
 * @param errors of sends and of the client, by kind
 * @param faults that have been ordered, in order
 * @param workers on other machines or in processes of their own, in order
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
     * A fault.
     *
     * @param what is or was done
     * @param orderedMs when it was ordered, epoch milliseconds
     * @param begunMs when it had taken effect; null before
     * @param undoneMs when it had been undone; null before
     * @param problem why it did not take effect, or was not undone; null if nothing is wrong
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
     * A worker.
     *
     * @param name for people
     * @param state {@code up}, {@code silent} or {@code lost: why}
     * @param aheadNs how far its clock is ahead of the coordinator's; null where that is not known
     * @param boundNs by how much that may be wrong
     * @param roundTripNs the median time of the latest requests and their answers
     * @param sentMsgPerSec in the last period; null before the first
     * @param receivedMsgPerSec likewise
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
