package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.measure.CollectorWork;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one process or host has used over a time.
 *
 * @param name what it is called
 * @param role whose it is
 * @param figures what is known of it
 * @param collectors what its garbage collectors did in that time, by name; empty where that is not known
 */
public record ResourceUse(
        String name, Role role, Map<Figure, FigureUse> figures, Map<String, CollectorWork> collectors) {

    public ResourceUse {
        EnumMap<Figure, FigureUse> copy = new EnumMap<>(Figure.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
        collectors = Collections.unmodifiableMap(new TreeMap<>(collectors));
    }

    /** Of what is no JVM. */
    public ResourceUse(String name, Role role, Map<Figure, FigureUse> figures) {
        this(name, role, figures, Map.of());
    }

    /** Of something that is not there any more. */
    public static ResourceUse nothing(String name, Role role) {
        return new ResourceUse(name, role, Map.of());
    }

    /** The same by another name, in another role. */
    public ResourceUse as(String otherName, Role otherRole) {
        return new ResourceUse(otherName, otherRole, figures, collectors);
    }

    /** A figure; empty if it is not known. */
    public Optional<FigureUse> figure(Figure figure) {
        return Optional.ofNullable(figures.get(figure));
    }

    /** This use and what the same one used in the time that followed. */
    ResourceUse followedBy(ResourceUse later) {
        EnumMap<Figure, FigureUse> both = new EnumMap<>(Figure.class);
        both.putAll(figures);
        later.figures.forEach((figure, use) -> both.merge(figure, use, FigureUse::followedBy));
        Map<String, CollectorWork> work = new TreeMap<>(collectors);
        later.collectors.forEach((collector, done) -> work.merge(collector, done, CollectorWork::plus));
        return new ResourceUse(name, role, both, work);
    }
}
