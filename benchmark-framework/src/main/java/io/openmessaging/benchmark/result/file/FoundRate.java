package io.openmessaging.benchmark.result.file;

import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.result.RunResult.RateRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The rate that a search found, in a result file.
 *
 * @param msgPerSec the highest rate, confirmed or not
 * @param limit the range that has the system's limit; null in results of earlier versions
 * @param shared whether others used the machine
 */
public record FoundRate(double msgPerSec, @Nullable RateRange limit, boolean shared) {

    /** Returns the rate; empty if the run did not search, or found none. */
    public static Optional<FoundRate> of(JsonNode result) {
        JsonNode search = result.path("search");
        JsonNode rate = search.path("foundRate");
        if (!rate.isNumber()) {
            return Optional.empty();
        }
        JsonNode low = search.path("range").path("low");
        JsonNode high = search.path("range").path("high");
        RateRange limit =
                low.isNumber() ? new RateRange(low.doubleValue(), high.isNumber() ? high.doubleValue() : null) : null;
        boolean shared = result.path("findings")
                .valueStream()
                .anyMatch(finding ->
                        Finding.isOfSharedMachine(finding.path("kind").asString("")));
        return Optional.of(new FoundRate(rate.doubleValue(), limit, shared));
    }

    /**
     * Returns whether the rate is no figure to rely on: the search has hardly narrowed down the limit, so the system
     * may sustain more, or others used the machine.
     */
    public boolean isVague() {
        return limit != null && (shared || !limit.isFound());
    }

    /** Returns whether a run has such a rate. */
    public static boolean isVagueIn(JsonNode result) {
        return of(result).filter(FoundRate::isVague).isPresent();
    }
}
