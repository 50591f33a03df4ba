package io.openmessaging.benchmark.broker.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest;

/** Tests the real Valkey, from packages fetched on first use into the checkout's own cache. */
class ValkeyLocalBrokerIT extends LocalBrokerContractTest {

    @Override
    protected LocalBroker localBroker() {
        return new ValkeyLocalBroker();
    }

    @Override
    protected boolean isOnTheJvm() {
        return false;
    }

    @Override
    protected void exchangeMessages(RunningBroker broker) throws Exception {
        assertThat(broker.product()).isEqualTo("Valkey");
        assertThat(broker.version()).startsWith("8.");
        assertThat(broker.nodes()).singleElement().extracting("name").isEqualTo("valkey-1");
        try (RedisConnection valkey = RedisConnection.to(broker)) {
            assertThat(valkey.call("XADD", "stream", "*", "payload", "hello")).hasSize(1);
            assertThat(valkey.call("XLEN", "stream")).containsExactly(":1");
        }
    }
}
