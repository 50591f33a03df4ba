package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.WorkerContractTest;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import org.junit.jupiter.api.Test;

/** A worker of which only bytes come to the coordinator. */
class RemoteWorkerTest extends WorkerContractTest {

    RemoteWorkerTest() {
        super(worker -> new RemoteWorker(new WorkerEndpoint(worker)));
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
