package io.openmessaging.benchmark.driver.artemis;

class QpidClientTest extends CoreClientTest {

    QpidClientTest() {
        super(ClientKind.AMQP);
    }
}
