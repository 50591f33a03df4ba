package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.artemis.ArtemisConfig.ClientKind;

class JmsClientTest extends CoreClientTest {

    @Override
    protected ArtemisConfig config() {
        return TestConfigs.with("client", ClientKind.JMS);
    }
}
