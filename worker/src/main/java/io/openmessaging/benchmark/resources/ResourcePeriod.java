package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What all used in one period.
 *
 * @param uses one for each probe, always in the same order
 */
public record ResourcePeriod(List<ResourceUse> uses) {

    private static final String COORDINATOR = "coordinator";

    /** Where nothing is watched. */
    public static final ResourcePeriod NONE = new ResourcePeriod(List.of());

    public ResourcePeriod {
        uses = List.copyOf(uses);
    }

    /** The mean of a figure, all of a role together; empty where none of them has it. */
    public OptionalDouble sum(Role role, Figure figure) {
        return uses.stream()
                .filter(use -> use.role() == role)
                .flatMap(use -> use.figure(figure).stream())
                .mapToDouble(FigureUse::mean)
                .reduce(Double::sum);
    }

    /** The least mean of a figure that one of a role has; empty where none of them has it. */
    public OptionalDouble least(Role role, Figure figure) {
        return uses.stream()
                .filter(use -> use.role() == role)
                .flatMap(use -> use.figure(figure).stream())
                .mapToDouble(FigureUse::mean)
                .min();
    }

    /**
     * What a process and its machine have used, together with what workers elsewhere have, for which it is the coordinator.
     *
     * @param workers empty if it does the work itself
     */
    public ResourcePeriod with(ResourcePeriod workers) {
        if (workers.uses.isEmpty()) {
            return this;
        }
        Stream<ResourceUse> own =
                uses.stream().map(use -> use.role() == Role.HARNESS ? use.as(COORDINATOR, Role.COORDINATOR) : use);
        return new ResourcePeriod(Stream.concat(own, workers.uses.stream()).toList());
    }

    /** This period and the next as one. */
    public ResourcePeriod followedBy(ResourcePeriod later) {
        List<ResourceUse> both = new ArrayList<>();
        for (int i = 0; i < uses.size(); i++) {
            both.add(uses.get(i).followedBy(later.uses.get(i)));
        }
        return new ResourcePeriod(both);
    }
}
