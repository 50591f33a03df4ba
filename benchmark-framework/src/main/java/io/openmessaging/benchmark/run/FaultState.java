package io.openmessaging.benchmark.run;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a fault that has been ordered. All times are epoch nanoseconds of the coordinator.
 *
 * @param what description of what is or was done
 * @param orderedNs when the fault was ordered
 * @param begunNs when the fault took effect; empty before that, and if it did not take effect
 * @param undoneNs when the fault was undone; empty before that, and if it did not take effect
 * @param problem why the fault did not take effect, or was not undone; null if nothing is wrong
 */
public record FaultState(
        String what,
        long orderedNs,
        OptionalLong begunNs,
        OptionalLong undoneNs,
        @Nullable String problem) {

    /** A fault that has just been ordered. */
    public static FaultState ordered(String what, long orderedNs) {
        return new FaultState(what, orderedNs, OptionalLong.empty(), OptionalLong.empty(), null);
    }

    /** Returns a copy for a fault that did not take effect. */
    public FaultState failed(String why) {
        return new FaultState(what, orderedNs, OptionalLong.empty(), OptionalLong.empty(), why);
    }

    /** Returns a copy for a fault that is now in progress. */
    public FaultState begun(String done, long atNs) {
        return new FaultState(done, orderedNs, OptionalLong.of(atNs), OptionalLong.empty(), null);
    }

    /** Returns a copy for a fault that was undone, or could not be undone if {@code why} is given. */
    public FaultState undone(long atNs, @Nullable String why) {
        return new FaultState(what, orderedNs, begunNs, OptionalLong.of(atNs), why);
    }
}
