package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one process or host has used over a time.
 *
 * @param name what it is called
 * @param role whose it is
 * @param figures what is known of it
 */
public record ResourceUse(String name, Role role, Map<Figure, FigureUse> figures) {

    public ResourceUse {
        EnumMap<Figure, FigureUse> copy = new EnumMap<>(Figure.class);
        copy.putAll(figures);
        figures = Collections.unmodifiableMap(copy);
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
        return new ResourceUse(name, role, both);
    }
}
