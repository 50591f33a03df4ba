package io.openmessaging.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeedTest {

    @Test
    void thePartsOfSeedsThatFollowEachOtherAreAllDifferent() {
        Set<Seed> seeds = new HashSet<>();
        for (long run = 0; run < 10; run++) {
            for (int load = 0; load < 10; load++) {
                for (int thread = 0; thread < 10; thread++) {
                    seeds.add(new Seed(run).part(load).part(thread));
                }
            }
        }
        assertThat(seeds).hasSize(1000);
    }

    @Test
    void aPartIsAlwaysTheSame() {
        assertThat(new Seed(42).part(3).part(7)).isEqualTo(new Seed(42).part(3).part(7));
    }
}
