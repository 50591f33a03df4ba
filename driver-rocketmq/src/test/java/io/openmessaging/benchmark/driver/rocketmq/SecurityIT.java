package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.rocketmq.RocketMqLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;

class SecurityIT extends SecurityContractTest<RocketMqConfig> {

    @Override
    protected BenchmarkDriver<RocketMqConfig> driver() {
        return new RocketMQBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new RocketMqLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "rocketmq.yaml";
    }

    @Override
    protected List<String> variants(String driverFile) {
        String patient = driverFile + "sendTimeout: " + Patience.LIMIT.toSeconds() + "s\n";
        return List.of(patient, patient + "protocol: GRPC\n");
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        // The server closes the connection of a client without TLS.
        return tls ? "send request to .* failed" : "username cannot be null";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "check signature failed";
    }
}
