package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Address.Form;
import io.openmessaging.benchmark.driver.Address.Port;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

    private static final Form URL = new Form("a URL", List.of("http", "https"), Port.OPTIONAL, false, true);
    private static final Form LOGIN = new Form("a URI", List.of("amqp"), Port.OPTIONAL, true, true);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:1",
                "a_b-1.example:65535",
                "rabbit_node_1:5672",
                "größe.example:1",
                "127.0.0.1:6379",
                "[::1]:9092",
                "[fe80::1%eth0]:80",
                "::1:6379",
                "fe80::1:2:80"
            })
    void theseAreHostsWithPorts(String address) {
        assertThat(Address.parse(address, Address.HOST_AND_PORT).hostAndPort()).isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "\"\" | it is empty",
                "a | the port is missing",
                ":1 | the host is missing",
                "a: | the port is not a number from 1 to 65535",
                "a:0 | the port is not a number from 1 to 65535",
                "a:65536 | the port is not a number from 1 to 65535",
                "a:123456 | the port is not a number from 1 to 65535",
                "a:b | the port is not a number from 1 to 65535",
                "a:-1 | the port is not a number from 1 to 65535",
                "a:b:2 | it contains several colons",
                "http://a:1 | remove http:// from the start",
                "me@a:1 | it must not contain a login",
                "a b:1 | it contains a blank or a control character",
                "a:1,b:1 | it contains several addresses; list each as a separate entry",
                "a;b:1 | it contains several addresses; list each as a separate entry",
                "a:1/path | remove '/path' from the end",
                "a!:1 | the host contains '!', which is not allowed in a host name",
                "[]:1 | the host contains '[', which is not allowed in a host name",
                "256.0.0.1:1 | each number of an IPv4 address must be from 0 to 255",
                "${HOST}:1 | no value replaces ${HOST}; in a driver file, ${env:HOST} reads"
                        + " an environment variable",
                "$HOST:1 | no value replaces $HOST; in a driver file, ${env:HOST} reads an" + " environment variable",
                "{{ host }}:1 | no value replaces {{ host }}; in a driver file, ${env:NAME} reads"
                        + " an environment variable"
            })
    void eachCauseHasItsOwnSentence(String address, String cause) {
        assertThatThrownBy(() -> Address.parse(address, Address.HOST_AND_PORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be host:port: " + cause);
    }

    @Test
    void aHostAloneHasNoPort() {
        assertThat(Address.problem("redis_1", Address.HOST)).isEmpty();
        assertThat(Address.problem("::1", Address.HOST)).isEmpty();
        assertThat(Address.problem("redis://localhost:16379", Address.HOST))
                .contains("must be a host: remove redis:// from the start");
        assertThat(Address.problem("localhost:16379", Address.HOST))
                .contains("must be a host: it must not contain a port");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kafka_1:9404/metrics | it does not start with http:// or https://",
                "ftp://a:1 | it starts with ftp://, not with http:// or https://",
                "http://::1:1/ | an IPv6 address must be in brackets, as in [::1]",
                "http:///metrics | the host is missing",
                "http://a:1/%zz | a character after the port must be percent-encoded"
            })
    void aUrlIsReadAsWell(String url, String cause) {
        assertThat(Address.problem(url, URL)).contains("must be a URL: " + cause);
    }

    @Test
    void aUrlKeepsItsParts() {
        Address address = Address.parse(" HTTP://kafka_1:9404/metrics?a=b ", URL);
        assertThat(address).isEqualTo(new Address("http", "", "kafka_1", 9404, "/metrics?a=b"));
        assertThat(address).hasToString("http://kafka_1:9404");
        assertThat(Address.parse("https://a", URL).port()).isEqualTo(Address.NO_PORT);
    }

    @Test
    void aLoginIsInNoMessage() {
        Address address = Address.parse("amqp://me:s3cr%40t@rabbit_1/v", LOGIN);
        assertThat(address.login()).isEqualTo("me:s3cr%40t");
        assertThat(address).hasToString("amqp://rabbit_1");
        assertThat(Address.problem("amqp://me:s3/cret@host", LOGIN))
                .contains("must be a URI: write a '/', '?' or '#' in the login as %2F, %3F or %23");
        assertThat(Address.problem("amqp://me:s3$cret/x@host", LOGIN).orElse(""))
                .doesNotContain("cret");
        assertThat(Address.problem("me:s3$cret@host:1", Address.HOST_AND_PORT).orElse(""))
                .doesNotContain("cret");
        assertThat(Address.problem("amqp://me:s3%ret@host", LOGIN))
                .contains("must be a URI: a character in the login must be percent-encoded");
        assertThat(Address.withoutLogin("amqp://me:s3cret@host:1/v")).isEqualTo("amqp://***@host:1/v");
        assertThat(Address.withoutLogin("amqp://host:1/v")).isEqualTo("amqp://host:1/v");
    }

    /** The JDK's HTTP client rejects such a name. */
    @Test
    void aNameThatIsNoHostForJavaBecomesItsNumber() {
        assertThat(Address.parse("http://kafka-1:9404/m", URL).uri("/m?a=b")).hasToString("http://kafka-1:9404/m?a=b");
        assertThat(Address.parse("http://no_such_host:1", URL).uri("/m")).hasToString("http://unknown.invalid:1/m");
    }
}
