package io.openmessaging.benchmark.driver.rabbitmq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmqpUriTest {

    @ParameterizedTest
    @CsvSource({
        "amqp://localhost, localhost:5672, guest, guest, /",
        "amqps://localhost, localhost:5671, guest, guest, /",
        "amqp://host.example.com:1234/, host.example.com:1234, guest, guest, /",
        "amqp://me:secret@10.0.0.1:5673/orders, 10.0.0.1:5673, me, secret, orders",
        "amqp://me:a%40b%3Ac@h/%2F, h:5672, me, a@b:c, /",
        "amqp://me:a+b@h/a%20b, h:5672, me, a+b, a b",
        "amqp://me@[::1]:5672/v, [::1]:5672, me, '', v",
        "amqp://guest:guest@rabbit_node_1:5672, rabbit_node_1:5672, guest, guest, /",
    })
    void isReadLikeRabbitMqsOwnToolsDo(String text, String address, String user, String password, String vhost) {
        AmqpUri uri = AmqpUri.parse(text);
        assertThat(uri.address()).isEqualTo(address);
        assertThat(uri.user()).isEqualTo(user);
        assertThat(uri.password()).isEqualTo(password);
        assertThat(uri.vhost()).isEqualTo(vhost);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:5672",
                "http://me:secret@host",
                "amqp:host",
                "amqp://me:secret@",
                "amqp://me:secret@host:0",
                "amqp://me:secret@host:70000",
                "amqp://me:secret@host:port",
                "amqp://me:secret@host/a/b",
                "amqp://me:secret@host/a?heartbeat=3",
                "amqp://me:secret@ho st",
                "amqp://me:secret@a:1,b:2/v",
                "amqp://me:secret@${HOST}/v",
                "amqp://me:sec/ret@host",
                "",
            })
    void whatIsNoneIsRefusedWithoutRepeatingIt(String text) {
        assertThatThrownBy(() -> AmqpUri.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("must be a URI like amqp://user:password@host:5672/vhost: ")
                .message()
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://me:s3cret@host/v",
                "amqps://me:s3cret@host:1",
                "amqp://me:s3cret@ho st",
                "http://me:s3cret@host",
                "me:s3cret@host",
                "amqp://me:s3cr3t:s3cret@host",
                "amqp://me:s3cret@x@host",
            })
    void theMaskedTextHasNoPassword(String text) {
        assertThat(AmqpUri.masked(text)).doesNotContain("s3cr").contains("me:***", "ho");
    }

    @Test
    void aTextWithoutPasswordIsShownAsItIs() {
        assertThat(AmqpUri.masked("amqp://host:5672/v")).isEqualTo("amqp://host:5672/v");
        assertThat(AmqpUri.masked("amqp://me@host:5672/v")).isEqualTo("amqp://me@host:5672/v");
        assertThat(AmqpUri.masked("nonsense")).isEqualTo("nonsense");
    }

    @Test
    void anotherAddressKeepsLoginAndVhost() {
        AmqpUri moved = AmqpUri.parse("amqps://me:a%40b@host/v%2Fw").at("127.0.0.1:15");
        assertThat(moved.uri()).hasToString("amqps://me:a%40b@127.0.0.1:15/v%2Fw");
        assertThat(AmqpUri.parse(moved.uri())).isEqualTo(moved);
        assertThat(AmqpUri.parse("amqp://host").at("h:1").uri()).hasToString("amqp://h:1");
    }

    @Test
    void aMessageNamesAddressVhostAndUserOnly() {
        assertThat(AmqpUri.parse("amqp://me:secret@host/v")).hasToString("host:5672 (vhost 'v', user 'me')");
    }
}
