package io.openmessaging.benchmark.driver.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that ends, or that stops answering, in the middle of a run. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // each test connects as it begins
class LostBrokerIT {

    private static final TopicSpec TOPIC = new TopicSpec("lost", 1);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofSeconds(30);

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
        connection = new ArtemisBenchmarkDriver().connect(config, new DriverContext("run", TIMEOUT, events));
        connection.createTopics(List.of(TOPIC));
        consumer = connection
                .createConsumers(List.of(new ConsumerSpec(0, TOPIC, "s", listener)))
                .get(0);
        producer =
                connection.createProducers(List.of(new ProducerSpec(0, TOPIC))).get(0);
        NumberedMessages.sendAcknowledged(producer, 0, 10, 100);
        listener.awaitMessages(10, LONG);
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

        await("news of the lost connections")
                .atMost(LONG)
                .until(() -> !events.fatals().isEmpty());
        assertThat(events.fatals())
                .allSatisfy(fatal -> assertThat(fatal)
                        .hasMessageStartingWith("The connection to Artemis at "
                                + broker.addresses().get(0) + " is lost: "));
        RecordingCallback callback = new RecordingCallback("a message after the end");
        producer.send(null, new byte[10], callback);
        callback.awaitFailed(LONG);
    }

    @Test
    void clientsOfABrokerThatIsGoneCloseInTime() throws Exception {
        connect("");
        broker.broker().kill(broker.broker().nodes().get(0).name());

        await("news of the lost connections")
                .atMost(LONG)
                .until(() -> !events.clientErrors().isEmpty());
        assertThat(events.clientErrors()).allSatisfy(error -> {
            assertThat(error.kind()).isEqualTo("connection lost");
            assertThat(error.cause())
                    .hasMessageStartingWith(
                            "The connection to Artemis at " + broker.addresses().get(0) + " is lost: ");
        });
        assertClientsCloseInTime();
        assertThat(events.fatals()).isEmpty();
    }

    @Test
    void clientsOfABrokerThatDoesNotAnswerCloseInTime() throws Exception {
        connect("");
        signal("STOP");
        await("the stop of each thread: the signal is only on its way")
                .atMost(LONG)
                .until(this::isStopped);
        List<RecordingCallback> callbacks = NumberedMessages.send(producer, 10, 20, 100);

        assertClientsCloseInTime();
        assertThat(callbacks).allMatch(callback -> callback.calls() == 1, "called once");
        assertThat(callbacks).allMatch(callback -> callback.acknowledgements() == 0, "not acknowledged");
        signal("CONT");
    }

    private void assertClientsCloseInTime() throws Exception {
        long startNs = System.nanoTime();
        producer.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                .as("close of a producer")
                .isLessThan(TIMEOUT.multipliedBy(2).plusSeconds(5));
        startNs = System.nanoTime();
        consumer.close();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs))
                .as("close of a consumer")
                .isLessThan(Duration.ofSeconds(8));
    }

    private ProcessHandle process() {
        return ProcessHandle.of(broker.broker().nodes().get(0).pid()).orElseThrow();
    }

    private boolean isStopped() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process().pid() + "/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                // proc(5): the state comes after the name, which is in parentheses and may have any character.
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
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }
}
