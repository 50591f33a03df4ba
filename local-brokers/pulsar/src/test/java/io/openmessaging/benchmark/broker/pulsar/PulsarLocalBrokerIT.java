package io.openmessaging.benchmark.broker.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.testkit.ListeningSockets;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;
import io.openmessaging.benchmark.suite.Patience;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the real Pulsar, whose jars are fetched on first use into the checkout's own cache. */
class PulsarLocalBrokerIT extends LocalBrokerContractTest {

    private static final String TOPIC = "persistent://public/default/plain";

    @Override
    protected LocalBroker localBroker() {
        return new PulsarLocalBroker();
    }

    /** Uses several bookies and more than one copy; the contract's tests cover a single bookie. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void carriesMessagesInSeveralCopiesOnLoopbackAndLeavesNothingAfterClose() throws Exception {
        Map<String, String> copies = Map.of(
                "managedLedgerDefaultEnsembleSize", "3",
                "managedLedgerDefaultWriteQuorum", "3",
                "managedLedgerDefaultAckQuorum", "2",
                "maxMessageSize", "2000");
        Set<Integer> ports;
        RunningBroker broker = start(options(3, 0, "256m", copies));
        try (broker) {
            assertThat(broker.product()).isEqualTo("Apache Pulsar");
            assertThat(broker.version()).startsWith("4.");
            assertThat(broker.settings())
                    .containsAllEntriesOf(copies)
                    .containsEntry("heap", "256m")
                    .containsEntry("bookies", "3")
                    .containsEntry("journalSyncData", "false");
            ports = ports(broker);

            carry(broker, 100, 1024);
            assertThatThrownBy(() -> carry(broker, 1, 3000)).isInstanceOf(PulsarClientException.class);

            assertThat(broker.addresses()).hasSize(1);
            assertThat(broker.endpoints().get("http")).hasSize(1);
            // Ports for clients, for HTTP, and for each bookie.
            assertThat(ports).hasSizeGreaterThanOrEqualTo(5);
            assertThat(ListeningSockets.beyondLoopback(broker.nodes().get(0).pid()))
                    .isEmpty();
            assertThat(broker.failure()).isEmpty();
        }

        assertNothingIsLeft(broker, ports);
    }

    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        carry(broker, 10, 1024);
    }

    private static void carry(RunningBroker broker, int count, int size) throws Exception {
        try (PulsarClient client = PulsarClient.builder()
                        .serviceUrl("pulsar://" + broker.addresses().get(0))
                        .build();
                Consumer<byte[]> consumer =
                        client.newConsumer().topic(TOPIC).subscriptionName("s").subscribe();
                Producer<byte[]> producer = client.newProducer().topic(TOPIC).create()) {
            for (int i = 0; i < count; i++) {
                producer.send(new byte[size]);
            }
            for (int i = 0; i < count; i++) {
                Message<byte[]> message = Patience.get("message " + i, consumer.receiveAsync());
                assertThat(message.getData()).hasSize(size);
                consumer.acknowledge(message);
            }
        }
    }
}
