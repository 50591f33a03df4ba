package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.config.TimeScale;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which plan, and how it is to differ from what is written.
 *
 * @param file the plan file
 * @param only patterns of the runs that are wanted; empty for all
 * @param timeScale how it is shortened
 * @param repetitions instead of those of the plan
 * @param drivers other driver files, as {@code system=file} or {@code file}
 */
public record PlanRequest(
        Path file,
        List<String> only,
        TimeScale timeScale,
        @Nullable Integer repetitions,
        List<String> drivers) {

    public PlanRequest {
        only = List.copyOf(only);
        drivers = List.copyOf(drivers);
    }
}
