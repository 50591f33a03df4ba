package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.ClientContractTest;

class CoreClientTest extends ClientContractTest<ArtemisConfig> {

    private final ClientKind client;

    CoreClientTest() {
        this(ClientKind.CORE);
    }

    CoreClientTest(ClientKind client) {
        this.client = client;
    }

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected ArtemisConfig config() {
        return TestConfigs.with("client", client);
    }
}
