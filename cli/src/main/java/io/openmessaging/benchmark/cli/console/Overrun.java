package io.openmessaging.benchmark.cli.console;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.result.Quantities;
import io.openmessaging.benchmark.run.RunPhase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The time that several runs took, compared with what a dry run says.
 *
 * @param planned what a dry run says
 * @param took from the start of the first broker to the end of the last run
 * @param starting the part of it in which brokers were started
 * @param results of all runs that may have searched for a rate
 */
public record Overrun(Duration planned, Duration took, Duration starting, List<JsonNode> results) {

    /** A dry run says "about": up to this multiple keeps to it. */
    private static final double NOTICEABLE = 1.2;

    private static final double MS_PER_S = 1000;

    /** Returns what took the time; empty if it was about as long as planned. */
    public Optional<String> sentence() {
        if (took.toMillis() <= NOTICEABLE * planned.toMillis()) {
            return Optional.empty();
        }
        int tried = results.stream()
                .mapToInt(result -> result.path("search").path("steps").size())
                .sum();
        Duration searching = searching();
        return Optional.of("took " + Quantities.timeLeft(took) + ", not the planned " + DurationText.format(planned)
                + ": "
                + (tried == 0 ? "" : "searching took " + Quantities.timeLeft(searching) + " (" + tried + " tries), ")
                + "starting brokers " + Quantities.timeLeft(starting) + ", all else "
                + Quantities.timeLeft(took.minus(searching).minus(starting)));
    }

    private Duration searching() {
        double seconds = results.stream()
                .flatMap(result -> result.path("phases").valueStream())
                .filter(phase -> phase.path("name").asString("").equals(RunPhase.SEARCH.label()))
                .mapToDouble(phase -> phase.path("seconds").asDouble())
                .sum();
        return Duration.ofMillis(Math.round(seconds * MS_PER_S));
    }
}
