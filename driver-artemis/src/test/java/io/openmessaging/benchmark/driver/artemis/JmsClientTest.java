package io.openmessaging.benchmark.driver.artemis;

class JmsClientTest extends CoreClientTest {

    JmsClientTest() {
        super(ClientKind.JMS);
    }
}
