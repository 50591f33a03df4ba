package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.WorkerContractTest;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** A worker that exchanges only bytes with the coordinator. */
class RemoteWorkerTest extends WorkerContractTest {

    RemoteWorkerTest() {
        super(worker -> new RemoteWorker(new WorkerEndpoint(() -> worker)));
    }

    @Test
    void everyMethodOfAWorkerIsARequest() {
        assertThat(Arrays.stream(Worker.class.getDeclaredMethods())
                        .filter(method -> !method.isDefault())
                        .map(Method::getName)
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Exchange.Request.values())
                        .map(RemoteWorkerTest::methodOf)
                        .toList());
    }

    private static String methodOf(Exchange.Request request) {
        String[] words = request.name().toLowerCase(Locale.ROOT).split("_");
        StringBuilder method = new StringBuilder(words[0]);
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            method.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return method.toString();
    }

    @Test
    void whatNobodyExpectedIsASentence() {
        system.on(Call.CREATE_CONSUMERS, () -> {
            throw new NoClassDefFoundError("com/example/Client");
        });
        assertThatThrownBy(() -> worker.prepare(everybody(run(topology(1, 1, 1, 1)))))
                .isInstanceOf(DriverException.class)
                .hasMessage("unexpected error: java.lang.NoClassDefFoundError: com/example/Client");
        assertThatThrownBy(() -> worker.period(7))
                .isInstanceOf(DriverException.class)
                .hasMessage("unexpected error: java.lang.IllegalArgumentException: period 7 does not follow period 0");
    }
}
