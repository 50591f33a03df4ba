package io.openmessaging.benchmark.driver.artemis;

class QpidClientTest extends CoreClientTest {

    @Override
    protected ArtemisConfig config() {
        return TestConfigs.with("client", ClientKind.AMQP);
    }
}
