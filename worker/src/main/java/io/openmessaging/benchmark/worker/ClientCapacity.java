package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.driver.ProcessNeeds;
import io.openmessaging.benchmark.resources.KernelLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The clients of one process.
 *
 * @param producers number of producers
 * @param consumers number of consumers
 * @param consumersBlock true if consumers take time for each message
 */
public record ClientCapacity(int producers, int consumers, boolean consumersBlock) {

    /**
     * Returns which needs of the clients exceed what this process may have, as a sentence without a full stop; empty
     * if none.
     */
    public Optional<String> lacking(LoadedDriver<?> driver) {
        return driver.processNeeds(this).flatMap(needs -> lacking(needs, KernelLimits.here()));
    }

    Optional<String> lacking(ProcessNeeds needs, KernelLimits limits) {
        List<String> needed = new ArrayList<>();
        List<String> allowed = new ArrayList<>();
        compare(needs.threads(), "threads", limits.threads(), needed, allowed);
        compare(needs.descriptors(), "file descriptors", limits.descriptors(), needed, allowed);
        return needed.isEmpty()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d producers and %,d consumers need at least %s, but a process here may have only %s: %s, or"
                                + " raise the limit",
                        producers,
                        consumers,
                        String.join(" and ", needed),
                        String.join(" and ", allowed),
                        needs.remedy()));
    }

    private static void compare(
            long need, String what, KernelLimits.Limit limit, List<String> needed, List<String> allowed) {
        if (need > limit.most()) {
            needed.add(String.format(Locale.ROOT, "%,d %s", need, what));
            allowed.add(String.format(Locale.ROOT, "%,d (%s)", limit.most(), limit.name()));
        }
    }
}
