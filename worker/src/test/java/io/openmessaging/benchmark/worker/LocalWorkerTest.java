package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.Worker.Probe;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import io.openmessaging.benchmark.worker.protocol.Worker.Stop;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The worker in this process, and what can be said of it alone. */
class LocalWorkerTest extends WorkerContractTest {

    LocalWorkerTest() {
        super(UnaryOperator.identity());
    }

    @Test
    void looksForItsOwnStallsAsLongAsItIsConnected() throws Exception {
        await("no other worker does", () -> stallMeters() == 0);
        worker.prepare(everybody(run(topology(1, 1, 1, 1))));
        int[] number = {0};
        await(
                "moments are counted",
                () -> worker.period(++number[0]).seen().stalls().count() > 0);
        assertThat(stallMeters()).isEqualTo(1);
        worker.close();
        await("nobody looks any more", () -> stallMeters() == 0);
    }

    private static long stallMeters() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("stalls"))
                .count();
    }

    @Test
    void theDriverAndTheThreadsThatSendSeeItsOwnClassesByName() throws Exception {
        ClassLoader mine = new ClassLoader(getClass().getClassLoader()) {};
        ClassLoader ofDriver = FakeSystem.class.getClassLoader();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        Set<ClassLoader> seen = ConcurrentHashMap.newKeySet();
        for (Call call : Call.values()) {
            system.on(call, () -> seen.add(Thread.currentThread().getContextClassLoader()));
        }
        system.onSend(number -> seen.add(Thread.currentThread().getContextClassLoader()));
        thread.setContextClassLoader(mine);
        try {
            requestEverything(mine);
            assertThat(system.calls()).contains(Call.CONNECT, Call.PAUSE, Call.RESUME, Call.CLOSE_CONSUMER, Call.CLOSE);
            assertThat(system.sent()).isEqualTo(1);
            assertThat(seen).containsExactly(ofDriver);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void requestEverything(ClassLoader mine) throws Exception {
        worker.prepare(everybody(run(topology(1, 1, 1, 1))));
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(mine);
        worker.probe(new Probe(new BitSet()));
        worker.consume(false);
        worker.consume(true);
        worker.start(new Start(1, 0, RateProfile.steady(1), 1));
        await("the message is sent", () -> worker.status().load().finished());
        worker.stop(new Stop(false));
        worker.finish();
        worker.close();
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(mine);
    }

    @Test
    void aDriverThatIsNotThereIsReportedInTheWordsOfItsConfiguration() throws Exception {
        ConfigException missing = ConfigException.ofFile(Path.of("driver.yaml"), "no drivers are installed", null);
        try (Worker other = new LocalWorker(
                description -> {
                    throw missing;
                },
                clock)) {
            assertThatThrownBy(() -> other.prepare(everybody(run(topology(1, 1, 1, 1)))))
                    .isInstanceOf(DriverException.class)
                    .hasMessage(missing.getMessage());
        }
    }
}
