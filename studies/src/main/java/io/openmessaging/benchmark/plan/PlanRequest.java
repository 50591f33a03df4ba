package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.config.TimeScale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requested plan, and how it should differ from its file.
 *
 * @param file the plan file
 * @param only patterns of the selected runs; empty for all
 * @param timeScale factor that shortens the plan
 * @param repetitions instead of those of the plan; null to use the plan's
 * @param cooldown instead of those of the plan; null to use the plan's
 * @param drivers other driver files, as {@code system=file} or {@code file}
 */
public record PlanRequest(
        Path file,
        List<String> only,
        TimeScale timeScale,
        @Nullable Integer repetitions,
        @Nullable Duration cooldown,
        List<String> drivers) {

    public PlanRequest {
        only = List.copyOf(only);
        drivers = List.copyOf(drivers);
    }
}
