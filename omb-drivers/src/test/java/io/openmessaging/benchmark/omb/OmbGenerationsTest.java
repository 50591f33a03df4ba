package io.openmessaging.benchmark.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.omb.OmbFixture.Generation;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OmbGenerationsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void aDriverOfEachGenerationCarriesMessages(Generation generation) throws Exception {
        OmbDriver driver = InstalledFixture.in(folder, generation).driver();
        assertThat(carries(driver, InstalledFixture.config(Map.of()))).isEqualTo("hello");
    }

    /** Sends a message on one connection to a consumer on another one; returns what it got. */
    private static String carries(OmbDriver driver, OmbConfig config) throws Exception {
        try (DriverSession control = DriverSession.open(driver, config, Patience.LIMIT);
                DriverSession worker = control.openOfSameRun(driver, config, Patience.LIMIT)) {
            TopicSpec topic = control.topic(3);
            RecordingListener listener = new RecordingListener();
            worker.consumer(topic, "s", listener);
            RecordingCallback callback = new RecordingCallback("hello");
            worker.producer(topic).send("key", "hello".getBytes(StandardCharsets.UTF_8), callback);
            callback.awaitAcknowledged(Patience.LIMIT);
            return new String(listener.awaitMessages(1, Patience.LIMIT).get(0).payload(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void messagesInBuffersThatAreUsedAgainArriveAsTheyWere() throws Exception {
        OmbDriver driver = InstalledFixture.in(folder, Generation.WITH_BUFFERS).driver();
        assertThat(carries(driver, InstalledFixture.config(Map.of("habit", "buffers"))))
                .isEqualTo("hello");
    }

    @Test
    void theMethodsThatTakeListsAreCalledWhereTheyExist() throws Exception {
        InstalledFixture fixture = InstalledFixture.in(folder, Generation.WITH_LISTS);
        carries(fixture.driver(), InstalledFixture.config(Map.of()));
        assertThat(fixture.calls())
                .anyMatch(call -> call.matches("createTopic\\(queue-Test_topic-.*, 3\\)"))
                .anyMatch(call -> call.matches("createProducers\\(0, queue-Test_topic-.*\\)"))
                .anyMatch(call -> call.matches("createConsumers\\(0, queue-Test_topic-.*, s\\)"));
    }

    @Test
    void topicsAreCreatedInOneCallWhereThatExists() throws Exception {
        InstalledFixture fixture = InstalledFixture.in(folder, Generation.WITH_TOPIC_LISTS);
        carries(fixture.driver(), InstalledFixture.config(Map.of()));
        assertThat(fixture.calls()).anyMatch(call -> call.matches("createTopics\\(queue-Test_topic-.*, 3\\)"));
    }

    @Test
    void theDriverIsToldOfATopicOnceWhereItWantsToKnow() throws Exception {
        InstalledFixture fixture = InstalledFixture.in(folder, Generation.NOTIFYING);
        carries(fixture.driver(), InstalledFixture.config(Map.of()));
        assertThat(fixture.calls())
                .filteredOn(call -> call.matches("notifyTopicCreation\\(queue-Test_topic-.*, 3\\)"))
                .hasSize(1);
    }

    @Test
    void aConsumerThatMayReadOnePartitionReadsAll() throws Exception {
        InstalledFixture fixture = InstalledFixture.in(folder, Generation.OF_PARTITIONS);
        carries(fixture.driver(), InstalledFixture.config(Map.of()));
        assertThat(fixture.calls()).anyMatch(call -> call.endsWith(", Optional.empty)"));
    }

    @Test
    void theDriverReadsAFileOfItsOwnWithTheKeysOfItsUserOnly() throws Exception {
        InstalledFixture fixture = InstalledFixture.in(folder, Generation.OF_2018);
        carries(fixture.driver(), InstalledFixture.config(8, Map.of("url", "nats://localhost:1")));
        List<String> initialized = fixture.calls().stream()
                .filter(call -> call.startsWith("initialize"))
                .toList();
        assertThat(initialized).as("all connections of a run share the driver").hasSize(1);
        String call = initialized.get(0);
        assertThat(call)
                .startsWith("initialize({\"driverClass\": \"" + OmbFixture.DRIVER
                        + "\", \"url\": \"nats://localhost:1\"}, NullStatsLogger, 2 permissions, true, ");
        Path file = Path.of(call.substring(call.lastIndexOf(' ') + 1, call.length() - 1));
        assertThat(file).as("after the connection was closed").doesNotExist();
    }

    @Test
    void anApiThatIsNotKnownIsRefusedWithTheSignatureThatWasFound() throws Exception {
        InstalledFixture fixture = InstalledFixture.in(folder, Generation.UNKNOWN);
        assertThatThrownBy(fixture::driver)
                .isInstanceOf(DriverException.class)
                .hasMessage("must be a driver whose API can be bridged: the BenchmarkDriver in api.jar has"
                        + " createTopic(String, int, String[]), expected createTopic(String, int)");
    }

    @Test
    void aFolderTellsItsDrivers() throws Exception {
        assertThat(InstalledFixture.in(folder, Generation.WITH_LISTS).folder().drivers())
                .containsExactly(OmbFixture.DRIVER);
    }

    @Test
    void aDescriptionTellsWhatIsNotKnownAndIdentifiesEachJar() throws Exception {
        OmbDriver driver = InstalledFixture.in(folder, Generation.WITH_LISTS).driver();
        try (DriverSession session = DriverSession.open(driver, InstalledFixture.config(Map.of()), Patience.LIMIT)) {
            var broker = session.connection().describeBroker();
            assertThat(broker.product()).isEqualTo("Queue");
            assertThat(broker.guarantee()).isNull();
            assertThat(broker.settings())
                    .containsKeys("guarantee", "partitions of received messages", "SHA-256 of api.jar")
                    .containsEntry(
                            "methods of OMB's API", "createTopics(List), createProducers(List), createConsumers(List)");
            assertThat(broker.settings().get("SHA-256 of queue.jar")).matches("[0-9a-f]{64}");
            assertThat(broker.settings().get("topics after the run"))
                    .startsWith("remain, named queue-…" + session.runId());
        }
    }
}
