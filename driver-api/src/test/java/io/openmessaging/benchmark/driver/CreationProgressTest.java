package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class CreationProgressTest {

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @Test
    void clientsThatAreCreatedInTurnAreCounted() throws Exception {
        CreationProgress.during(
                told::add, () -> ClientCreation.inTurn(List.of("a", "b"), spec -> spec, discarded -> {}));
        assertThat(told).containsExactly("1 of 2 clients", "2 of 2 clients");
    }

    @Test
    void clientsThatAreCreatedByOtherThreadsAreCounted() throws Exception {
        Calls calls = new Calls("test", DriverThreads.of(CreationProgressTest.class), String::valueOf);
        List<Callable<String>> tasks = Collections.nCopies(1000, () -> "client");
        CreationProgress.during(
                told::add,
                () -> calls.<String>creation("producers", 4, ClientCreation.each(discarded -> {}))
                        .all(tasks, Deadline.in(Duration.ofSeconds(30))));
        assertThat(told).hasSize(1000).contains("1 of 1,000 producers", "1,000 of 1,000 producers");
    }

    @Test
    void nobodyIsToldAfterwards() throws Exception {
        CreationProgress.during(told::add, () -> {});
        ClientCreation.inTurn(List.of("a"), spec -> spec, discarded -> {});
        assertThat(told).isEmpty();
    }
}
