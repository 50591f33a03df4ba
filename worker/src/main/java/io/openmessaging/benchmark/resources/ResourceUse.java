package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The resource usage of one process or host over a span of time.
 *
 * @param name its name
 * @param role its role
 * @param figures its known figures
 * @param collectors work of its garbage collectors in that time, by collector name; empty if not known
 */
public record ResourceUse(
        String name, Role role, Map<Figure, FigureUse> figures, Map<String, CollectorWork> collectors) {

    public ResourceUse {
        EnumMap<Figure, FigureUse> copy = new EnumMap<>(Figure.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
        collectors = Collections.unmodifiableMap(new TreeMap<>(collectors));
    }

    /** Creates the usage of something that is not a JVM. */
    public ResourceUse(String name, Role role, Map<Figure, FigureUse> figures) {
        this(name, role, figures, Map.of());
    }

    /** Returns the usage of something that no longer exists. */
    public static ResourceUse nothing(String name, Role role) {
        return new ResourceUse(name, role, Map.of());
    }

    /** Returns this usage with another name and role. */
    public ResourceUse as(String otherName, Role otherRole) {
        return new ResourceUse(otherName, otherRole, figures, collectors);
    }

    /** Returns a figure; empty if it is not known. */
    public Optional<FigureUse> figure(Figure figure) {
        return Optional.ofNullable(figures.get(figure));
    }

    /** Returns the usage over this span and the next one. */
    ResourceUse followedBy(ResourceUse later) {
        EnumMap<Figure, FigureUse> both = new EnumMap<>(Figure.class);
        both.putAll(figures);
        later.figures.forEach((figure, use) -> both.merge(figure, use, FigureUse::followedBy));
        Map<String, CollectorWork> work = new TreeMap<>(collectors);
        later.collectors.forEach((collector, done) -> work.merge(collector, done, CollectorWork::plus));
        return new ResourceUse(name, role, both, work);
    }
}
