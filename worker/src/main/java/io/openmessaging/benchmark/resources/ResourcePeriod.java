package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The resource usage of all processes and hosts in one period.
 *
 * @param uses one for each probe, always in the same order
 */
public record ResourcePeriod(List<ResourceUse> uses) {

    private static final String COORDINATOR = "coordinator";

    /** The period of a monitor that watches nothing. */
    public static final ResourcePeriod NONE = new ResourcePeriod(List.of());

    public ResourcePeriod {
        uses = List.copyOf(uses);
    }

    /** Returns the sum of a figure's means over all of a role; empty if none of them has it. */
    public OptionalDouble sum(Role role, Figure figure) {
        return uses.stream()
                .filter(use -> use.role() == role)
                .flatMap(use -> use.figure(figure).stream())
                .mapToDouble(FigureUse::mean)
                .reduce(Double::sum);
    }

    /** Returns the lowest mean of a figure within a role; empty if none has it. */
    public OptionalDouble least(Role role, Figure figure) {
        return uses.stream()
                .filter(use -> use.role() == role)
                .flatMap(use -> use.figure(figure).stream())
                .mapToDouble(FigureUse::mean)
                .min();
    }

    /**
     * Combines the usage of a coordinator's process and machine, in this period, with the usage of its workers
     * elsewhere.
     *
     * @param workers empty if this process does the work itself
     */
    public ResourcePeriod with(ResourcePeriod workers) {
        if (workers.uses.isEmpty()) {
            return this;
        }
        Stream<ResourceUse> own =
                uses.stream().map(use -> use.role() == Role.HARNESS ? use.as(COORDINATOR, Role.COORDINATOR) : use);
        return new ResourcePeriod(Stream.concat(own, workers.uses.stream()).toList());
    }

    /** Returns this period and the next one as one. */
    public ResourcePeriod followedBy(ResourcePeriod later) {
        List<ResourceUse> both = new ArrayList<>();
        for (int i = 0; i < uses.size(); i++) {
            both.add(uses.get(i).followedBy(later.uses.get(i)));
        }
        return new ResourcePeriod(both);
    }
}
