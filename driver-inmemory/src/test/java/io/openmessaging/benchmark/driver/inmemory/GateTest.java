package io.openmessaging.benchmark.driver.inmemory;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GateTest {

    private final Gate gate = new Gate();
    private long plainCount;

    @Test
    void oneThreadAtATimeIsInside() throws Exception {
        int threads = 4;
        int rounds = 200_000;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                boolean changes = t == 0;
                tasks.add(() -> {
                    for (int i = 0; i < rounds; i++) {
                        if (changes) {
                            gate.enterForChange();
                        } else {
                            gate.enter();
                        }
                        plainCount++;
                        gate.exit();
                    }
                    return null;
                });
            }
            for (Future<Void> task : executor.invokeAll(tasks)) {
                task.get();
            }
            assertThat(plainCount).isEqualTo((long) threads * rounds);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aChangeGetsInWhileProducersNeverPause() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService executor = Executors.newFixedThreadPool(3);
        try {
            for (int p = 0; p < 2; p++) {
                executor.execute(() -> {
                    while (!ended.get()) {
                        gate.enter();
                        plainCount++;
                        gate.exit();
                    }
                });
            }
            Future<Integer> changes = executor.submit(() -> {
                int made = 0;
                for (; made < 1000; made++) {
                    gate.enterForChange();
                    gate.exit();
                }
                return made;
            });
            assertThat(Patience.get("a thousand changes", changes)).isEqualTo(1000);
        } finally {
            ended.set(true);
            executor.shutdownNow();
        }
    }

    @Test
    void aNeedlessChangeGivesUp() {
        gate.enter();
        assertThat(gate.enterForChangeUnless(() -> true)).isFalse();
        gate.exit();
        // No thread waits any longer, so messages pass.
        gate.enter();
        gate.exit();
        assertThat(gate.enterForChangeUnless(() -> true)).isTrue();
    }
}
