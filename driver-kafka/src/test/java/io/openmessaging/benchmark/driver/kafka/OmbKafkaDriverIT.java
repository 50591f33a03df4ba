package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.NumberedMessages;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.omb.OmbConfig;
import io.openmessaging.benchmark.omb.OmbDriver;
import io.openmessaging.benchmark.omb.OmbFolder;
import io.openmessaging.benchmark.suite.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;

/** OMB's own Kafka driver, where its jars are at hand. */
@EnabledIfEnvironmentVariable(
        named = "OMB_JARS",
        matches = ".+",
        disabledReason = "OMB_JARS does not name the lib folder of an OMB release")
class OmbKafkaDriverIT {

    private static final String OMBS = "io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver";

    @RegisterExtension
    static final LocalKafka KAFKA = new LocalKafka();

    @Test
    void theDriverOfOmbCarriesMessagesUnchanged() throws Exception {
        int messages = 20_000;
        OmbDriver driver = folder().driver(OMBS);
        OmbConfig config = OmbConfig.of(new DriverSettings(
                Path.of("omb-kafka.yaml"),
                OMBS,
                Mapping.of(Map.of(
                        "replicationFactor", "1",
                        "topicConfig", "min.insync.replicas=1",
                        "commonConfig", "bootstrap.servers=" + String.join(",", KAFKA.addresses()),
                        "producerConfig", "acks=all",
                        "consumerConfig", "auto.offset.reset=earliest"))));
        try (DriverSession session = DriverSession.open(driver, config, Patience.LIMIT)) {
            TopicSpec topic = session.topic(4);
            RecordingListener listener = new RecordingListener();
            session.consumer(topic, "s", listener);
            NumberedMessages.awaitAcknowledged(NumberedMessages.send(session.producer(topic), 0, messages, 1024));
            assertThat(listener.awaitMessages(messages, Patience.LIMIT)).hasSize(messages);
        }
    }

    private static OmbFolder folder() throws Exception {
        Path folder = Path.of(String.valueOf(System.getenv("OMB_JARS")));
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> jars = files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
            return new OmbFolder(folder, jars, OmbKafkaDriverIT.class.getClassLoader());
        }
    }
}
