package io.openmessaging.benchmark.driver.artemis;

import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverConnection;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.suite.LongSuite;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a broker that ends or stops responding during a run. */
@SuppressWarnings("NullAway.Init") // each test connects at its start
@LongSuite("starts a broker for each test")
class LostBrokerIT {

    private static final TopicSpec TOPIC = new TopicSpec("lost", 1);
    /** Limit of each call of the client: a close that waits for a call until this limit counts as hanging. */
    private static final Duration LIMIT_OF_CALLS = Patience.LIMIT.multipliedBy(10);

    private final RecordingEvents events = new RecordingEvents();
    private final RecordingListener listener = new RecordingListener();
    private LocalArtemis broker;
    private DriverConnection connection;
    private BenchmarkProducer producer;
    private BenchmarkConsumer consumer;

    @BeforeEach
    void start() {
        broker = LocalArtemis.start(Map.of());
    }

    /** Creates the clients. */
    private void connect(String parametersOfTheAddress) throws Exception {
        ArtemisConfig config =
                TestConfigs.with("brokerAddress", "tcp://" + broker.addresses().get(0) + parametersOfTheAddress);
        connection = new ArtemisBenchmarkDriver().connect(config, new DriverContext("run", LIMIT_OF_CALLS, events));
        connection.createTopics(List.of(TOPIC));
        consumer = connection
                .createConsumers(List.of(new ConsumerSpec(0, TOPIC, "s", listener)))
                .get(0);
        producer =
                connection.createProducers(List.of(new ProducerSpec(0, TOPIC))).get(0);
        NumberedMessages.sendAcknowledged(producer, 0, 10, 100);
        listener.awaitMessages(10, Patience.LIMIT);
    }

    @AfterEach
    void end() throws Exception {
        producer.close();
        consumer.close();
        connection.close();
        broker.close();
    }

    @Test
    void whereTheAddressWantsNoMoreAttemptsABrokerThatEndsIsFatalAndEverySendIsAnswered() throws Exception {
        connect("?reconnectAttempts=0");
        broker.broker().kill(broker.broker().nodes().get(0).name());

        await("news of the lost connections").until(() -> !events.fatals().isEmpty());
        assertThat(events.fatals())
                .allSatisfy(fatal -> assertThat(fatal)
                        .hasMessageStartingWith("The connection to Artemis at "
                                + broker.addresses().get(0) + " is lost: "));
        RecordingCallback callback = new RecordingCallback("a message after the end");
        producer.send(null, new byte[10], callback);
        callback.awaitFailed(Patience.LIMIT);
    }

    @Test
    void clientsOfABrokerThatIsGoneClose() throws Exception {
        connect("");
        broker.broker().kill(broker.broker().nodes().get(0).name());

        await("news of the lost connections").until(() -> !events.clientErrors().isEmpty());
        assertThat(events.clientErrors()).allSatisfy(error -> {
            assertThat(error.kind()).isEqualTo("connection lost");
            assertThat(error.cause())
                    .hasMessageStartingWith(
                            "The connection to Artemis at " + broker.addresses().get(0) + " is lost: ");
        });
        assertEnds("close of a producer", producer);
        assertEnds("close of a consumer", consumer);
        assertThat(events.fatals()).isEmpty();
    }

    @Test
    void clientsOfABrokerThatDoesNotAnswerClose() throws Exception {
        connect("");
        signal("STOP");
        await("the stop of each thread: the signal is only on its way").until(this::isStopped);
        List<RecordingCallback> callbacks = NumberedMessages.send(producer, 10, 20, 100);

        assertEnds("close of a producer that does not wait for answers", () -> {
            Thread.currentThread().interrupt();
            producer.close();
        });
        assertEnds("close of a consumer", consumer);
        assertThat(callbacks).allMatch(callback -> callback.calls() == 1, "called once");
        assertThat(callbacks).allMatch(callback -> callback.acknowledgements() == 0, "not acknowledged");
        signal("CONT");
    }

    /** Runs the close on its own thread, so that a close that hangs fails. */
    private static void assertEnds(String what, AutoCloseable close) throws Exception {
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> {
            close.close();
            return null;
        });
        new Thread(task, what).start();
        Patience.get(what, task);
    }

    private ProcessHandle process() {
        return ProcessHandle.of(broker.broker().nodes().get(0).pid()).orElseThrow();
    }

    private boolean isStopped() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process().pid() + "/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                // proc(5): the state follows the name, which is in parentheses and may contain any character.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill =
                new ProcessBuilder("kill", "-" + name, Long.toString(process().pid())).start();
        assertThat(Patience.exitCode("kill", kill)).isZero();
    }
}
