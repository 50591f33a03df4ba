package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ManyCallsTest {

    private final List<Integer> discarded = new ArrayList<>();
    private final Calls calls =
            new Calls("acme", DriverThreads.of(ManyCallsTest.class), error -> String.valueOf(error.getMessage()));
    private final ManyCalls<Integer> creation = creation(ManyCalls.SEVERAL);

    private ManyCalls<Integer> creation(int atATime) {
        return new ManyCalls<>(calls, "create numbers", atATime, (created, reason) -> discarded.addAll(created));
    }

    private interface Task {
        int run() throws DriverException, InterruptedException;
    }

    private static List<Integer> all(ManyCalls<Integer> creation, List<Task> tasks, int limitMs)
            throws DriverException, InterruptedException {
        return creation.all(tasks, Task::run, Deadline.in(Duration.ofMillis(limitMs)));
    }

    @Test
    void resultsComeInTheOrderOfTheTasks() throws Exception {
        List<Task> tasks =
                IntStream.range(0, 100).mapToObj(ManyCallsTest::number).toList();
        assertThat(all(creation, tasks, 10_000))
                .isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(discarded).isEmpty();
    }

    private static Task number(int i) {
        return () -> i;
    }

    @Test
    void severalAreCreatedAtATimeOnTheGivenThreads() throws Exception {
        CountDownLatch bothInside = new CountDownLatch(2);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        Task task = () -> {
            threads.add(Thread.currentThread().getName());
            bothInside.countDown();
            Patience.await("the other one to run as well", bothInside);
            return 1;
        };
        assertThat(all(creation, List.of(task, task), 20_000)).containsExactly(1, 1);
        assertThat(threads).containsExactlyInAnyOrder("acme-control-0", "acme-control-1");
    }

    @Test
    void afterAFailureNoMoreIsBegunAndWhatIsThereIsDiscarded() {
        Task failing = () -> {
            throw new IllegalStateException("no such store");
        };
        assertThatThrownBy(() -> all(creation(1), List.of(number(1), failing, number(3)), 10_000))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not create numbers: no such store")
                .hasCauseInstanceOf(IllegalStateException.class);
        // The third was not started.
        assertThat(discarded).containsExactly(1);
    }

    @Test
    void theFailureIsFoundBehindOnesThatWereNotBegun() {
        CountDownLatch failed = new CountDownLatch(1);
        Task failing = () -> {
            failed.countDown();
            throw new IllegalStateException("no such store");
        };
        Task waiting = () -> {
            failed.await();
            return 1;
        };
        List<Task> tasks = List.of(waiting, failing, number(3), number(4));
        assertThatThrownBy(() -> all(creation(2), tasks, 10_000)).hasMessage("Could not create numbers: no such store");
    }

    @Test
    void aDriversOwnFailureIsPassedOnAsItIs() {
        DriverException own = new DriverException("The topic is gone.");
        Task failing = () -> {
            throw own;
        };
        assertThatThrownBy(() -> all(creation, List.of(failing), 10_000)).isSameAs(own);
    }

    @Test
    void theDeadlineHolds() {
        CountDownLatch never = new CountDownLatch(1);
        Task slow = () -> {
            never.await();
            return 2;
        };
        int limitMs = 100;
        Throwable thrown;
        do {
            // A busy machine may not get to the first call in a short time.
            limitMs *= 2;
            int inTime = limitMs;
            discarded.clear();
            thrown = catchThrowable(() -> all(creation(ManyCalls.SEVERAL), List.of(number(1), slow), inTime));
            assertThat(thrown).isInstanceOf(DriverException.class);
        } while (String.valueOf(thrown.getMessage()).contains(": 0 of 2 "));
        assertThat(thrown).hasMessage("Could not create numbers: 1 of 2 were done within " + limitMs + " ms");
        assertThat(discarded).containsExactly(1);
    }

    @Test
    void anInterruptDiscardsWhatWasCreated() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch firstRuns = new CountDownLatch(1);
        Thread caller = Thread.currentThread();
        Task first = () -> {
            firstRuns.countDown();
            return 1;
        };
        Task slow = () -> {
            firstRuns.await();
            caller.interrupt();
            never.await();
            return 2;
        };
        assertThatThrownBy(() -> all(creation, List.of(first, slow), 10_000)).isInstanceOf(InterruptedException.class);
        assertThat(discarded).isEqualTo(List.of(1));
    }

    @Test
    void inTurnTheOrderIsKeptAndAFailureDiscardsWhatWasCreated() throws Exception {
        List<Integer> released = new ArrayList<>();
        assertThat(ManyCalls.<Integer, Integer>inTurn(List.of(3, 1, 2), spec -> 10 * spec, released::add))
                .containsExactly(30, 10, 20);
        assertThat(released).isEmpty();

        List<Integer> asked = new ArrayList<>();
        ManyCalls.Step<Integer, Integer> failing = spec -> {
            asked.add(spec);
            if (spec == 1) {
                throw new DriverException("no");
            }
            return 10 * spec;
        };
        assertThatThrownBy(() -> ManyCalls.inTurn(List.of(3, 2, 1, 4), failing, released::add))
                .hasMessage("no");
        assertThat(asked).containsExactly(3, 2, 1);
        assertThat(released).containsExactly(30, 20);
    }
}
