package io.openmessaging.benchmark.driver.rocketmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SerialSendsTest {

    private final SerialSends sends = new SerialSends();
    private final List<Integer> begun = new ArrayList<>();

    @Test
    void aSendBeginsOnceTheOneBeforeIsAnswered() {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            add(i, answers);
        }
        assertThat(begun).containsExactly(0);
        answers.get(0).complete("stored");
        assertThat(begun).containsExactly(0, 1);
        answers.get(1).completeExceptionally(new IllegalStateException("refused"));
        assertThat(begun).containsExactly(0, 1, 2);
        answers.get(2).complete("stored");
        add(3, answers);
        assertThat(begun).containsExactly(0, 1, 2, 3);
    }

    private void add(int number, List<CompletableFuture<String>> answers) {
        sends.add(() -> {
            begun.add(number);
            CompletableFuture<String> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        });
    }

    @Test
    void manyAnswersAtOnceAreNoDepth() {
        CompletableFuture<String> first = new CompletableFuture<>();
        sends.add(() -> first);
        int waiting = 100_000;
        IntStream.range(0, waiting)
                .forEach(i -> sends.add(() -> {
                    begun.add(i);
                    return CompletableFuture.completedFuture("refused");
                }));
        first.complete("stored");
        assertThat(begun).hasSize(waiting);
    }
}
