package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ParallelCreationTest {

    private static final List<Integer> SPECS = IntStream.range(0, 200).boxed().toList();

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final Queue<String> discarded = new ConcurrentLinkedQueue<>();
    private final AtomicInteger started = new AtomicInteger();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void createsInOrderWithNoMoreThanFiftyUnderWay() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        List<Integer> counts = new ArrayList<>();
        List<String> created = creation(spec -> {
                    counts.add(underWay.incrementAndGet());
                    return CompletableFuture.supplyAsync(
                            () -> {
                                underWay.decrementAndGet();
                                return "thing " + spec;
                            },
                            threads);
                })
                .all(SPECS, Deadline.in(Duration.ofSeconds(20)));
        assertThat(created)
                .isEqualTo(SPECS.stream().map(spec -> "thing " + spec).toList());
        assertThat(counts).hasSize(SPECS.size()).allMatch(count -> count <= 50);
        assertThat(discarded).isEmpty();
    }

    @Test
    void afterAFailureNoMoreIsStartedAndWhatIsThereIsDiscarded() {
        Executor atOnce = Runnable::run;
        assertThatThrownBy(() -> creation(spec -> spec == 7
                                ? CompletableFuture.failedFuture(new IllegalStateException("full"))
                                : CompletableFuture.supplyAsync(() -> "thing " + spec, atOnce))
                        .all(SPECS, Deadline.in(Duration.ofSeconds(20))))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not make thing 7: full");
        assertThat(started).hasValue(8);
        assertThat(discarded)
                .containsExactlyInAnyOrder("thing 0", "thing 1", "thing 2", "thing 3", "thing 4", "thing 5", "thing 6");
    }

    @Test
    void whatTheClientThrowsIsAFailureToo() {
        assertThatThrownBy(() -> creation(spec -> {
                            throw new IllegalArgumentException("no such setting");
                        })
                        .all(List.of(1), Deadline.in(Duration.ofSeconds(20))))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not make thing 1: no such setting");
    }

    @Test
    void whatComesAfterTheLimitIsDiscardedThen() {
        List<CompletableFuture<String>> futures = new ArrayList<>();
        assertThatThrownBy(() -> creation(spec -> {
                            futures.add(new CompletableFuture<>());
                            return futures.get(spec);
                        })
                        .all(SPECS, Deadline.in(Duration.ofMillis(50))))
                .isInstanceOf(DriverException.class)
                .hasMessage("Waited 50 ms to make thing 50, after 50 others");
        futures.get(3).complete("late");
        assertThat(discarded).containsExactly("late");
    }

    private ParallelCreation<Integer, String> creation(Function<Integer, CompletableFuture<String>> action) {
        return new ParallelCreation<>(
                spec -> "make thing " + spec,
                spec -> {
                    started.incrementAndGet();
                    return action.apply(spec);
                },
                thing -> {
                    discarded.add(thing);
                    return CompletableFuture.<Void>completedFuture(null);
                });
    }
}
