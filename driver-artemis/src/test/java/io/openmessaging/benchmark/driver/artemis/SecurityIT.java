package io.openmessaging.benchmark.driver.artemis;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.artemis.ArtemisLocalBroker;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.testkit.security.SecurityContractTest;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;

class SecurityIT extends SecurityContractTest<ArtemisConfig> {

    @Override
    protected BenchmarkDriver<ArtemisConfig> driver() {
        return new ArtemisBenchmarkDriver();
    }

    @Override
    protected LocalBroker broker() {
        return new ArtemisLocalBroker();
    }

    @Override
    protected String plainFile() {
        return "artemis.yaml";
    }

    /** Artemis closes the connection of a client without TLS, which reconnects until its call times out. */
    @Override
    protected Duration limitOfUnsecured(boolean tls) {
        return tls ? Duration.ofSeconds(8) : Patience.LIMIT;
    }

    @Override
    protected String refusalOfUnsecured(boolean tls) {
        return tls ? "the connection was lost" : "Unable to validate user";
    }

    @Override
    protected String refusalOfWrongSecret() {
        return "Unable to validate user";
    }
}
