package io.openmessaging.benchmark.run;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A fault that has been ordered, as far as it has come. All times are epoch nanoseconds of the coordinator.
 *
 * @param what is or was done, in words
 * @param orderedNs when it was ordered
 * @param begunNs when it had taken effect; empty before, and if it did not take effect
 * @param undoneNs when it had been undone; empty before, and if it did not take effect
 * @param problem why it did not take effect, or was not undone; null if nothing is wrong
 */
public record FaultState(
        String what,
        long orderedNs,
        OptionalLong begunNs,
        OptionalLong undoneNs,
        @Nullable String problem) {

    /** One that has been ordered just now. */
    public static FaultState ordered(String what, long orderedNs) {
        return new FaultState(what, orderedNs, OptionalLong.empty(), OptionalLong.empty(), null);
    }

    /** The same, which did not take effect. */
    public FaultState failed(String why) {
        return new FaultState(what, orderedNs, OptionalLong.empty(), OptionalLong.empty(), why);
    }

    /** The same, in progress now. */
    public FaultState begun(String done, long atNs) {
        return new FaultState(done, orderedNs, OptionalLong.of(atNs), OptionalLong.empty(), null);
    }

    /** The same, which has been taken back, or was to be. */
    public FaultState undone(long atNs, @Nullable String why) {
        return new FaultState(what, orderedNs, begunNs, OptionalLong.of(atNs), why);
    }
}
