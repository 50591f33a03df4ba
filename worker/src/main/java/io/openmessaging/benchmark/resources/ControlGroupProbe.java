package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.limits.ControlGroupCounters;
import java.util.EnumMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the counters of a limit: how often processes had to wait for it, and how close they came to it. */
public final class ControlGroupProbe extends ResourceProbe {

    private final Supplier<ControlGroupCounters> counters;

    /**
     * Creates a probe of a limit.
     *
     * @param name the name of the limited process; the figures become part of its entry
     */
    public ControlGroupProbe(String name, Role role, Supplier<ControlGroupCounters> counters) {
        super(name, role);
        this.counters = counters;
    }

    @Override
    public EnumMap<Figure, Double> read() {
        ControlGroupCounters now = counters.get();
        EnumMap<Figure, Double> figures = new EnumMap<>(Figure.class);
        put(figures, Figure.CPU_THROTTLED_PERCENT, now.throttledSlices());
        put(figures, Figure.LIMITED_MEMORY_BYTES, now.usedBytes());
        put(figures, Figure.HELD_MEMORY_BYTES, now.heldBytes());
        put(figures, Figure.MEMORY_LIMIT_HITS_PER_SEC, now.memoryLimitHits());
        put(figures, Figure.OUT_OF_MEMORY_KILLS, now.outOfMemoryKills());
        return figures;
    }

    private static void put(EnumMap<Figure, Double> figures, Figure figure, @Nullable Long value) {
        if (value != null) {
            figures.put(figure, (double) value);
        }
    }
}
