package io.openmessaging.benchmark.driver.rabbitmq.config;

import java.util.Locale;

/** How a topic's exchange finds the queues of a message. */
public enum ExchangeType {

    /** By the partition, which is the routing key. */
    DIRECT,

    /** The same, with the exchange that compares patterns. */
    TOPIC,

    /** Every queue gets everything: for topics of one partition. */
    FANOUT;

    /** What RabbitMQ calls it. */
    public String amqpName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
