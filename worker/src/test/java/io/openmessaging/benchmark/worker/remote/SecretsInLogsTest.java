package io.openmessaging.benchmark.worker.remote;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.openmessaging.benchmark.measure.EpochClock;
import io.openmessaging.benchmark.worker.TestDrivers;
import io.openmessaging.benchmark.worker.fake.FakeSystem;
import io.openmessaging.benchmark.worker.protocol.DriverDescription;
import io.openmessaging.benchmark.worker.protocol.Exchange;
import io.openmessaging.benchmark.worker.protocol.Exchange.Request;
import io.openmessaging.benchmark.worker.protocol.RemoteWorker;
import io.openmessaging.benchmark.worker.protocol.RunDescription;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.server.ServerCaps;
import io.openmessaging.benchmark.worker.server.WorkerServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** The log of a run with remote workers reveals no secrets. */
@ExtendWith(ServedResolver.class)
@Isolated
class SecretsInLogsTest {

    private final Served served;

    SecretsInLogsTest(Served served) {
        this.served = served;
    }

    @Test
    void nothingSecretIsLogged() throws Exception {
        Logger all = (Logger) LoggerFactory.getLogger("io.openmessaging.benchmark");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        all.addAppender(log);
        all.setLevel(Level.TRACE);
        WorkerServer server =
                served.server(TestDrivers.worker(new FakeSystem(), new EpochClock()), null, ServerCaps.defaults());
        try (Workers workers = KeptWorkersTest.claim(WorkerTimeouts.defaults(), server.url())) {
            ClaimedWorker worker = workers.all().get(0);
            Worker.Prepare request = TestDrivers.prepare();
            RunDescription run = request.run();
            DriverDescription secret = new DriverDescription(
                    "driver.yaml", run.driver().driverClass(), "password: hunter2", List.of(), Map.of());
            new RemoteWorker(Served.run(worker))
                    .prepare(new Worker.Prepare(
                            new RunDescription(
                                    secret,
                                    run.topology(),
                                    run.messages(),
                                    run.clients(),
                                    run.seed(),
                                    run.resourcePeriod(),
                                    run.placement()),
                            1,
                            1));
            Exchange broken = Served.run(worker);
            assertThat(broken.exchange(Request.PREPARE, "{\"run\": \"hunter2\"}".getBytes(StandardCharsets.UTF_8))
                            .refused())
                    .isTrue();
            List<String> lines = log.list.stream()
                    .map(event -> event.getFormattedMessage()
                            + (event.getThrowableProxy() == null
                                    ? ""
                                    : event.getThrowableProxy().getMessage()))
                    .toList();
            assertThat(lines)
                    .isNotEmpty()
                    .noneMatch(line -> line.contains("hunter2") || line.contains(worker.session()));
        } finally {
            all.detachAppender(log);
            all.setLevel(null);
        }
    }
}
