package io.openmessaging.benchmark.driver.artemis.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerAddressTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://localhost:61616 | localhost:61616",
                "localhost:61616 | localhost:61616",
                "tcp://[::1]:5 | [::1]:5",
                "tcp://a.example.com:1?connectionTtl=5&tcpNoDelay=true | a.example.com:1",
                "(tcp://a:1,tcp://b:2) | a:1 b:2",
                "(tcp://a:1?x=y,tcp://b:2)?ha=true&reconnectAttempts=3 | a:1 b:2",
            })
    void hostsAndPortsAreFoundAndTheTextIsReadTheSameAgain(String text, String hostsAndPorts) {
        BrokerAddress address = BrokerAddress.parse(text);

        assertThat(address.hostsAndPorts()).containsExactly(hostsAndPorts.split(" "));
        assertThat(BrokerAddress.parse(address.text())).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://a:1 | tcp://b:2",
                "tcp://a:1?x=y | tcp://b:2?x=y",
                "(tcp://a:1?x=y,tcp://c:3)?ha=true | (tcp://b:2?x=y)?ha=true",
            })
    void otherAddressesKeepTheParameters(String before, String after) {
        assertThat(BrokerAddress.parse(before).with(List.of("b:2")).text()).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://a:1 | tcp://a:1",
                "(tcp://a:1,tcp://b:2) | (tcp://a:1,tcp://b:2)?ha=true",
                "(tcp://a:1,tcp://b:2)?retryInterval=5 | (tcp://a:1,tcp://b:2)?retryInterval=5&ha=true",
                "(tcp://a:1,tcp://b:2)?ha=false | (tcp://a:1,tcp://b:2)?ha=false",
            })
    void clientsOfSeveralBrokersFailOverUnlessTheAddressSaysOtherwise(String given, String used) {
        assertThat(BrokerAddress.parse(given).failingOver().text()).isEqualTo(used);
    }

    @Test
    void thereMayBeMoreOfTheOthers() {
        assertThat(BrokerAddress.parse("tcp://a:1?x=y")
                        .with(List.of("b:2", "c:3"))
                        .text())
                .isEqualTo("(tcp://b:2?x=y,tcp://c:3?x=y)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "tcp://localhost",
                "tcp://localhost:",
                "tcp://localhost:port",
                "tcp://localhost:70000",
                "http://localhost:1",
                "udp://localhost:1",
                "vm://0",
                "tcp://a:1,",
                "(tcp://a:1",
                "tcp://a b:1",
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> BrokerAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("must be tcp://host:port, several with commas in parentheses: ");
    }
}
