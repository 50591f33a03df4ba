package io.openmessaging.benchmark.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.load.RateProfile;
import io.openmessaging.benchmark.resources.Figure;
import io.openmessaging.benchmark.resources.FigureUse;
import io.openmessaging.benchmark.resources.ResourcePeriod;
import io.openmessaging.benchmark.resources.ResourceProbe.Role;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.worker.Load.SendGrace;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.fake.FakeSystem.Call;
import io.openmessaging.benchmark.worker.protocol.Ceilings;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.Worker.Probe;
import io.openmessaging.benchmark.worker.protocol.Worker.Start;
import io.openmessaging.benchmark.worker.protocol.Worker.Stop;
import io.openmessaging.benchmark.worker.protocol.WorkerMachine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The worker in this process: the contract of all workers, and tests specific to it. */
@Isolated
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

    private static RunDescription watchedEvery(Duration period) {
        RunDescription run = run(topology(1, 1, 1, 1));
        return new RunDescription(
                run.driver(), run.topology(), run.messages(), run.clients(), run.seed(), period, run.placement());
    }

    @Test
    void isWatchedByItsCoordinatorWhereThatIsInTheSameProcess() throws Exception {
        worker.prepare(everybody(watchedEvery(Duration.ofMillis(1))));
        assertThat(worker.period(1).used()).isEqualTo(ResourcePeriod.NONE);
    }

    @Test
    void tellsWhatItsProcessAndItsMachineUseWhereItIsElsewhere() throws Exception {
        Ceilings ceilings = new Ceilings(1000, 2, 1.5);
        try (LocalWorker elsewhere = LocalWorker.elsewhere(TestDrivers.drivers(system), clock, ceilings, text -> {})) {
            RunDescription run = watchedEvery(Duration.ofMillis(200));
            assertThat(elsewhere.prepare(everybody(run)).machines())
                    .extracting(WorkerMachine::ceilings)
                    .containsExactly(ceilings);
            elsewhere.start(new Start(1, 0, RateProfile.steady(1000), Long.MAX_VALUE));
            int[] number = {0};
            Map<Role, Map<Figure, FigureUse>> used = new EnumMap<>(Role.class);
            await("all that is read has been", () -> {
                elsewhere
                        .period(++number[0])
                        .used()
                        .uses()
                        .forEach(use -> used.computeIfAbsent(use.role(), role -> new EnumMap<>(Figure.class))
                                .putAll(use.figures()));
                return used.getOrDefault(Role.HARNESS, Map.of()).containsKey(Figure.LOAD_THREADS_CORE_PERCENT)
                        && used.getOrDefault(Role.HOST, Map.of()).containsKey(Figure.HOST_IDLE_PERCENT);
            });
            assertThat(used).containsOnlyKeys(Role.HARNESS, Role.HOST);
            assertThat(elsewhere.period(number[0])).as("asked twice").isEqualTo(elsewhere.period(number[0]));
            assertThat(monitors()).isEqualTo(1);
        }
        await("nobody looks any more", () -> monitors() == 0);
    }

    @Test
    void watchesNothingWhereNobodyWantsToKnow() throws Exception {
        try (LocalWorker elsewhere = LocalWorker.elsewhere(TestDrivers.drivers(system), clock, null, text -> {})) {
            elsewhere.prepare(everybody(run(topology(1, 1, 1, 1))));
            assertThat(elsewhere.period(1).used()).isEqualTo(ResourcePeriod.NONE);
            assertThat(monitors()).isZero();
        }
    }

    private static long monitors() {
        return threads("resources");
    }

    private static long stallMeters() {
        return threads("stalls");
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    void aSendThatCannotEvenBeInterruptedIsReportedAsLongAsItBlocks() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        system.onSend(number -> {
            blocked.countDown();
            awaitThroughInterrupts(release);
        });
        List<String> waits = new ArrayList<>();
        SendGrace briefly = new SendGrace(Duration.ofMillis(20), Duration.ofMillis(10), waits::add);
        try (LocalWorker impatient = new LocalWorker(TestDrivers.drivers(system), clock, briefly)) {
            impatient.prepare(everybody(run(topology(1, 1, 1, 1))));
            impatient.start(new Start(1, 0, RateProfile.steady(1000), Long.MAX_VALUE));
            Patience.await("the send blocks", blocked);

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> impatient.stop(new Stop(false)))
                        .isInstanceOf(DriverException.class)
                        .hasMessageContaining("a send is still blocked");
            }
            assertThat(waits).hasSize(2).allMatch(text -> text.startsWith("a send blocks after the end of sending"));
            assertThat(impatient.status().load().finished()).isFalse();
            assertThatThrownBy(() -> impatient.start(new Start(2, 0, RateProfile.steady(1), 1)))
                    .hasMessageContaining("load 1 is still running");

            release.countDown();
            await("the send has returned", () -> impatient.status().load().finished());
            impatient.stop(new Stop(false));
        }
    }

    private static void awaitThroughInterrupts(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // Interrupts are ignored on purpose.
            }
        }
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
        worker.probe(new Probe(1, new BitSet()));
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
