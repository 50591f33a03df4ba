package io.openmessaging.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardsTest {

    private static final int THREADS = 100;

    private static final class NumberedShard extends Shards.Shard {
        NumberedShard(boolean shared) {
            super(shared);
        }
    }

    private final Shards<NumberedShard> shards = new Shards<>(NumberedShard::new);

    private NumberedShard shardOfAnotherThread() throws InterruptedException {
        List<NumberedShard> seen = new ArrayList<>();
        Thread thread = new Thread(() -> {
            seen.add(shards.mine());
            seen.add(shards.mine());
        });
        thread.start();
        Patience.join(thread);
        assertThat(seen).as("the shard that a thread gets twice").hasSize(2);
        assertThat(seen.get(1)).isSameAs(seen.get(0));
        return seen.get(0);
    }

    @Test
    void threadsHaveShardsOfTheirOwnUpToTheLimitAndShareThen() throws InterruptedException {
        Set<NumberedShard> exclusive = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<NumberedShard> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int thread = 0; thread < THREADS; thread++) {
            NumberedShard shard = shardOfAnotherThread();
            assertThat(shard.shared())
                    .as("whether the shard of thread %d is shared", thread)
                    .isEqualTo(thread >= Shards.EXCLUSIVE_SHARDS);
            (shard.shared() ? shared : exclusive).add(shard);
        }
        assertThat(exclusive).hasSize(Shards.EXCLUSIVE_SHARDS);
        assertThat(shared).hasSize(Shards.SHARED_SHARDS);
        assertThat(shards.all()).hasSize(Shards.EXCLUSIVE_SHARDS + Shards.SHARED_SHARDS);
        assertThat(shards.all()).containsAll(exclusive).containsAll(shared);
    }
}
