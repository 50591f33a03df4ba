package io.openmessaging.benchmark.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class RecordedBrokerTest {

    private static RecordedBroker broker() throws Exception {
        Properties entries = new Properties();
        entries.load(new StringReader("""
                product=RabbitMQ
                version=3.10.8
                addresses=127.0.0.1:5672,127.0.0.1:40001
                endpoint.stream=127.0.0.1:5552,127.0.0.1:40002
                endpoint.prometheus=127.0.0.1:40003
                nodes=rabbitmq-1
                rabbitmq-1.pid=17
                rabbitmq-1.startedAtMs=1000
                rabbitmq-1.log=/tmp/rabbitmq-1.log
                limitGroups=/groups/cpu/one:/groups/memory/one
                """));
        return new RecordedBroker(entries);
    }

    @Test
    void theNextCallReadsWhatOneHasWritten() throws Exception {
        RecordedNode node = new RecordedNode("rabbitmq-1", 17, 1_000, Path.of("/tmp/rabbitmq-1.log"));
        Properties written = new Properties();
        node.addTo(written);

        assertThat(broker().nodes()).containsExactly(node);
        assertThat(broker().entries()).containsAllEntriesOf(written);
        assertThat(broker().limitGroups()).containsExactly(Path.of("/groups/cpu/one"), Path.of("/groups/memory/one"));
    }

    @Test
    void saysEveryWayIntoTheBroker() throws Exception {
        assertThat(broker().describe())
                .isEqualTo("RabbitMQ 3.10.8 at 127.0.0.1:5672,127.0.0.1:40001, prometheus at 127.0.0.1:40003,"
                        + " stream at 127.0.0.1:5552,127.0.0.1:40002");
    }
}
