package io.openmessaging.benchmark.driver.artemis;

class JmsClientTest extends CoreClientTest {

    @Override
    protected ArtemisConfig config() {
        return TestConfigs.with("client", ClientKind.JMS);
    }
}
