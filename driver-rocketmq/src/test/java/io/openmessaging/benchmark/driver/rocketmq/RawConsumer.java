package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.Patience;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;

/** RocketMQ's own client, which shows all properties of a message. */
final class RawConsumer {

    private static final int POLL_MS = 200;

    private RawConsumer() {}

    /** Returns this number of messages of a topic, from its start. */
    static List<MessageExt> read(RocketMqConfig servers, String topic, int count) throws Exception {
        DefaultLitePullConsumer client = new DefaultLitePullConsumer("raw-" + topic);
        client.setNamesrvAddr(servers.namesrvAddr());
        client.setInstanceName("raw-" + topic);
        client.setMqClientApiTimeout((int) Patience.LIMIT.toMillis());
        client.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        client.start();
        try {
            client.assign(client.fetchMessageQueues(topic));
            List<MessageExt> messages = new ArrayList<>();
            Patience.until(count + " messages of the topic " + topic, () -> {
                messages.addAll(client.poll(POLL_MS));
                return messages.size() >= count;
            });
            assertThat(messages).as("messages of the topic %s", topic).hasSize(count);
            return messages;
        } finally {
            client.shutdown();
        }
    }
}
