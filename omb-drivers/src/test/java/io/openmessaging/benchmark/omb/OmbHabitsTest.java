package io.openmessaging.benchmark.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import io.openmessaging.benchmark.suite.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What drivers of OMB do that a driver of the harness must not. */
class OmbHabitsTest {

    /** The limit of calls that are not answered. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static Duration limit(String key) {
        return key.equals("neverIn") || key.equals("hangIn") ? SHORT : Patience.LIMIT;
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static OmbDriver driver;

    @BeforeAll
    static void theDriverIsInstalled() throws IOException, DriverException {
        driver = InstalledFixture.in(folder, Generation.WITH_LISTS).driver();
    }

    private static DriverSession open(String key, String value) throws Exception {
        return DriverSession.open(driver, InstalledFixture.config(Map.of(key, value)), Patience.LIMIT);
    }

    @ParameterizedTest
    @CsvSource({
        "throwIn, initialize the driver QueueBenchmarkDriver: IllegalStateException: no initialize today",
        "hangIn, initialize the driver QueueBenchmarkDriver: no answer within 1000 ms"
    })
    void aDriverThatDoesNotInitializeIsAnErrorInTime(String key, String expected) {
        assertThatThrownBy(() ->
                        DriverSession.open(driver, InstalledFixture.config(Map.of(key, "initialize")), limit(key)))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not " + expected);
    }

    @Test
    void theLastConnectionOfARunClosesTheDriverAndAnotherRunHasAnother() throws Exception {
        OmbConfig config = InstalledFixture.config(Map.of("throwIn", "close"));
        DriverSession control = DriverSession.open(driver, config, Patience.LIMIT);
        DriverSession worker = control.openOfSameRun(driver, config, Patience.LIMIT);
        try (DriverSession another = DriverSession.open(driver, InstalledFixture.config(Map.of()), Patience.LIMIT)) {
            worker.close();
            control.topic(1);
            assertThatThrownBy(control::close).hasMessageContaining("no close today");
            another.topic(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "throwIn, IllegalStateException: no createTopic today",
        "failIn, IOException: createTopic was refused",
        "neverIn, no answer within 1000 ms",
        "hangIn, no answer within 1000 ms"
    })
    void aTopicThatIsNotCreatedIsAnErrorInTime(String key, String expected) throws Exception {
        try (DriverSession session =
                DriverSession.open(driver, InstalledFixture.config(Map.of(key, "createTopic")), limit(key))) {
            assertThatThrownBy(() -> session.topic(1))
                    .isInstanceOf(DriverException.class)
                    .hasMessage("Could not create 1 topic: " + expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"throwIn", "failIn", "neverIn", "nullIn"})
    void clientsThatAreNotCreatedAreAnErrorInTime(String key) throws Exception {
        Map<String, String> keys = new HashMap<>();
        for (String call : new String[] {"createProducer", "createConsumer"}) {
            keys.put(key, call);
            try (DriverSession session = DriverSession.open(driver, InstalledFixture.config(keys), limit(key))) {
                TopicSpec topic = session.topic(1);
                assertThatThrownBy(() -> {
                            if (call.equals("createProducer")) {
                                session.producer(topic);
                            } else {
                                session.consumer(topic, "s", new RecordingListener());
                            }
                        })
                        .isInstanceOf(DriverException.class)
                        .hasMessageMatching(
                                "(Could not create 1 (producer|consumer): |create(Producer|Consumer)s\\(List\\)).*");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "throwIn, no sendAsync today",
        "failIn, sendAsync was refused",
        "nullIn, sendAsync of the driver returned no future"
    })
    void aMessageThatIsNotSentFailsOnce(String key, String expected) throws Exception {
        try (DriverSession session = open(key, "sendAsync")) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("message");
            producer.send(null, new byte[10], callback);
            assertThat(callback.awaitFailed(Patience.LIMIT)).hasMessage(expected);
            session.close(producer);
            assertThat(callback.calls()).isEqualTo(1);
        }
    }

    @Test
    void aMessageThatIsNeverAnsweredFailsWhenItsProducerIsClosed() throws Exception {
        try (DriverSession session =
                DriverSession.open(driver, InstalledFixture.config(Map.of("neverIn", "sendAsync")), SHORT)) {
            BenchmarkProducer producer = session.producer(session.topic(1));
            RecordingCallback callback = new RecordingCallback("message");
            producer.send(null, new byte[10], callback);
            session.close(producer);
            assertThat(callback.awaitFailed(Patience.LIMIT))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("no answer when the producer was closed");
            assertThat(callback.calls()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"closeProducer", "closeConsumer", "close"})
    void aCloseThatThrowsIsAnErrorOfTheDriver(String call) throws Exception {
        DriverSession session = open("throwIn", call);
        TopicSpec topic = session.topic(1);
        session.producer(topic);
        session.consumer(topic, "s", new RecordingListener());
        assertThatThrownBy(session::close).hasMessageContaining("no " + call + " today");
    }

    @Test
    void threadsOfADriverCallAListenerOneAtATime() throws Exception {
        int messages = 200;
        try (DriverSession session = open("habit", "threads")) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener(Duration.ofNanos(50_000));
            session.consumer(topic, "s", listener);
            BenchmarkProducer producer = session.producer(topic);
            for (int i = 0; i < messages; i++) {
                producer.send(null, new byte[10], new RecordingCallback("message " + i));
            }
            listener.awaitMessages(messages, Patience.LIMIT);
            assertThat(listener.overlaps()).isZero();
        }
    }

    @Test
    void anErrorThatAConsumerReportsIsAClientError() throws Exception {
        Path other = Files.createTempDirectory(folder, "partitions");
        OmbDriver reporting =
                InstalledFixture.in(other, Generation.OF_PARTITIONS).driver();
        try (DriverSession session =
                DriverSession.open(reporting, InstalledFixture.config(Map.of("habit", "errors")), Patience.LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            BenchmarkConsumer consumer = session.consumer(topic, "s", listener);
            session.producer(topic).send(null, new byte[10], new RecordingCallback("message"));
            listener.awaitMessages(1, Patience.LIMIT);
            session.close(consumer);
            assertThat(session.events().clientErrors()).hasSize(1);
        }
    }

    @Test
    void bytesThatADriverOverwritesAreTakenFromTheEnd() throws Exception {
        OmbConfig config = InstalledFixture.config(8, Map.of("habit", "overwrites"));
        try (DriverSession session = DriverSession.open(driver, config, Patience.LIMIT)) {
            TopicSpec topic = session.topic(1);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            byte[] payload = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
            session.producer(topic).send(null, payload, new RecordingCallback("message"));
            assertThat(listener.awaitMessages(1, Patience.LIMIT).get(0).payload())
                    .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
            assertThat(driver.scratchBytes(config)).isEqualTo(8);
        }
    }

    @Test
    void aClassThatIsMissingIsNamedWithTheJarThatNeedsIt() throws Exception {
        Path lacking = Files.createTempDirectory(folder, "lacking");
        Map<String, Map<String, String>> jars = new HashMap<>();
        jars.put("api.jar", OmbFixture.api(Generation.WITH_LISTS));
        Map<String, String> needing = new HashMap<>(OmbFixture.driver(Generation.WITH_LISTS));
        needing.computeIfPresent(
                OmbFixture.DRIVER,
                (name, source) -> source.replace("before(\"initialize\");", "vendor.client.Client.connect();"));
        jars.put("queue.jar", needing);
        jars.put(
                "client.jar",
                Map.of("vendor.client.Client", "public class Client { public static void connect() {} }"));
        OmbFixture.install(lacking, jars);
        Files.delete(lacking.resolve("client.jar"));
        OmbDriver without = InstalledFixture.of(lacking).driver();
        assertThatThrownBy(() -> DriverSession.open(without, InstalledFixture.config(Map.of()), Patience.LIMIT))
                .hasMessage("Could not initialize the driver QueueBenchmarkDriver: the class vendor.client.Client is"
                        + " missing, which queue.jar needs: put its jar into " + lacking
                        + ", on each worker as well");
    }

    @Test
    void aClassThatIsNoDriverIsRefusedWithThoseThatAre() throws Exception {
        OmbFolder installed = InstalledFixture.of(folder.resolve("omb")).folder();
        assertThatThrownBy(() -> installed.driver("example.queue.QueueProducer"))
                .hasMessage("must be a class that implements OMB's BenchmarkDriver; " + installed.path() + " has "
                        + OmbFixture.DRIVER);
    }
}
