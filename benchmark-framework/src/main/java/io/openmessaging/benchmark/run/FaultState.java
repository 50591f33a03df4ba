package io.openmessaging.benchmark.run;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A fault that has been ordered, as far as it has come. All times are epoch nanoseconds of the coordinator.
 *
 * @param what is or was done, in words
 * @param orderedNs when it was ordered
 * @param begunNs when it had come about; empty before, and if it did not come about
 * @param undoneNs when it had been taken back; empty before, and if it did not come about
 * @param problem why it did not come about, or was not taken back; null if nothing is wrong
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

    /** The same, which did not come about. */
    public FaultState failed(String why) {
        return new FaultState(what, orderedNs, OptionalLong.empty(), OptionalLong.empty(), why);
    }

    /** The same, which goes on now. */
    public FaultState begun(String done, long atNs) {
        return new FaultState(done, orderedNs, OptionalLong.of(atNs), OptionalLong.empty(), null);
    }

    /** The same, which has been taken back, or was to be. */
    public FaultState undone(long atNs, @Nullable String why) {
        return new FaultState(what, orderedNs, begunNs, OptionalLong.of(atNs), why);
    }
}
