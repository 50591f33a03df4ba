package io.openmessaging.benchmark.resources;

import java.util.ArrayList;
import java.util.List;

/**
 * What all used in one period.
 *
 * @param uses one for each probe, always in the same order
 */
public record ResourcePeriod(List<ResourceUse> uses) {

    /** Where nothing is watched. */
    public static final ResourcePeriod NONE = new ResourcePeriod(List.of());

    public ResourcePeriod {
        uses = List.copyOf(uses);
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
