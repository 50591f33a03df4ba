package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import java.util.List;
import java.util.Map;

/** Tests security with JMS and AMQP 1.0. */
@LongSuite("SecurityIT by other clients, with brokers of its own")
class AmqpSecurityIT extends SecurityIT {

    @Override
    protected Setup setup() {
        return Setup.with(Map.of("protocols", "CORE,AMQP"));
    }

    @Override
    protected List<String> variants(String driverFile) {
        return List.of(driverFile + "client: JMS\n", driverFile + "client: AMQP\n");
    }

    @Override
    protected String plainFile() {
        return "artemis-amqp.yaml";
    }
}
