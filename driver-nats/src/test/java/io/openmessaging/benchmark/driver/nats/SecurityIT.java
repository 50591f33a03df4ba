package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;

class SecurityIT extends SecurityContractTest<NatsConfig> {

    @Override
    protected BenchmarkDriver<NatsConfig> driver() {
        return new NatsBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new NatsLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "nats.yaml";
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        return tls ? "SSL required by server" : "Authorization Violation";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "Authorization Violation";
    }
}
