package io.openmessaging.benchmark.driver.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.pulsar.ClientConfig.PulsarLogin;
import io.openmessaging.benchmark.driver.testkit.RecordingEvents;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PulsarBenchmarkDriverTest {

    private final PulsarBenchmarkDriver driver = new PulsarBenchmarkDriver();

    @ParameterizedTest
    @CsvSource({
        "pulsar://a:1, a:1",
        "pulsar://a:1/, a:1",
        "pulsar://a, a:6650",
        "pulsar+ssl://a, a:6651",
        "'pulsar://a:1,b,[::1]:3,[::1]', a:1;b:6650;[::1]:3;[::1]:6650"
    })
    void addressesComeFromTheServiceUrl(String url, String addresses) {
        assertThat(driver.addresses(config(url))).containsExactly(addresses.split(";"));
    }

    @Test
    void otherAddressesLeaveTheRestAsItIs() {
        PulsarConfig config = config("pulsar+ssl://a:1");
        PulsarConfig moved = driver.withAddresses(config, List.of("127.0.0.1:7", "127.0.0.1:8"));
        assertThat(moved.client().serviceUrl()).isEqualTo("pulsar+ssl://127.0.0.1:7,127.0.0.1:8");
        assertThat(driver.withAddresses(moved, List.of("a:1"))).isEqualTo(config);
    }

    @Test
    void aBrokerStartedForTheRunIsAdministeredThereAndItsBookiesWillDo() {
        PulsarConfig config = config("pulsar://a:1");
        PulsarConfig moved = driver.withEndpoint(config, "http", List.of("127.0.0.1:9"));
        assertThat(moved.client().httpUrl()).isEqualTo("http://127.0.0.1:9");
        assertThat(moved.client().persistence().adjustToBookies()).isTrue();
        assertThat(config.client().persistence().adjustToBookies()).isFalse();
        assertThat(driver.withEndpoint(config, "stream", List.of("127.0.0.1:9")))
                .isEqualTo(config);
    }

    @Test
    void theClientVersionIsThatOfTheLibrary() {
        assertThat(driver.clientVersion()).matches("pulsar-client \\d+\\.\\d+\\.\\d+");
    }

    @Test
    void aHostThatDoesNotExistIsASentenceThatNamesIt() {
        assertThatThrownBy(() -> driver.connect(config("pulsar://no-such-host.invalid:6650"), context()))
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("Could not reach Pulsar at no-such-host.invalid:6650: ");
    }

    @Test
    void aLoginThatDoesNotExistIsASentenceThatNamesIt() {
        PulsarConfig config =
                TestConfigs.withLogin(config("pulsar://127.0.0.1:1"), new PulsarLogin("no.such.Plugin", null));
        assertThatThrownBy(() -> driver.connect(config, context()))
                .isInstanceOf(DriverException.class)
                .hasMessage("Could not reach Pulsar at 127.0.0.1:1: no.such.Plugin");
    }

    private static PulsarConfig config(String serviceUrl) {
        return TestConfigs.of("client: {serviceUrl: '" + serviceUrl + "'}");
    }

    private static DriverContext context() {
        return new DriverContext("run", Duration.ofSeconds(2), new RecordingEvents());
    }
}
