package io.openmessaging.benchmark.driver.rabbitmq.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.stream.StreamException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class RabbitMqCallsTest {

    @Test
    void theBrokersOwnWordsComeFirst() {
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(404)
                .replyText("NOT_FOUND - no queue 'q'")
                .classId(0)
                .methodId(0)
                .build();
        IOException error = new IOException(null, new ShutdownSignalException(false, false, close, null));
        assertThat(RabbitMqCalls.reason(error)).isEqualTo("NOT_FOUND - no queue 'q'");
        assertThat(Channels.replyCode(error)).isEqualTo(404);
    }

    @Test
    void otherwiseTheInnermostThatSaysSomething() {
        assertThat(RabbitMqCalls.reason(new StreamException("outer", new IOException("inner"))))
                .isEqualTo("inner");
        assertThat(RabbitMqCalls.reason(new StreamException("outer", new IOException())))
                .isEqualTo("outer");
        assertThat(RabbitMqCalls.reason(new IOException(new IllegalStateException("once"))))
                .isEqualTo("once");
        assertThat(RabbitMqCalls.reason(new IllegalStateException())).isEqualTo("IllegalStateException");
    }

    @Test
    void whatEveryoneMeetsIsSaidPlainly() {
        assertThat(RabbitMqCalls.reason(new StreamException("x", new UnknownHostException("nowhere"))))
                .isEqualTo("the host nowhere cannot be resolved on this machine");
        assertThat(RabbitMqCalls.reason(new ConnectException("Connection refused")))
                .isEqualTo("Connection refused");
        assertThat(RabbitMqCalls.reason(new TimeoutException())).isEqualTo("no answer in time");
    }
}
