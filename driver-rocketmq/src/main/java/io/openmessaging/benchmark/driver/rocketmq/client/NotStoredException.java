package io.openmessaging.benchmark.driver.rocketmq.client;

import org.apache.rocketmq.client.producer.SendStatus;

/**
 * Thrown if a broker has accepted a message but did not store it as safely as its settings guarantee: RocketMQ reports
 * that as a success with a status. Has no stack trace, since there may be thousands a second.
 */
final class NotStoredException extends Exception {

    private static final long serialVersionUID = 1L;

    NotStoredException(SendStatus status) {
        super(status.name() + ": " + meaning(status), null, false, false);
    }

    private static String meaning(SendStatus status) {
        return switch (status) {
            case FLUSH_DISK_TIMEOUT -> "the broker did not flush the message to disk in time";
            case FLUSH_SLAVE_TIMEOUT -> "the broker's replicas did not get the message in time";
            case SLAVE_NOT_AVAILABLE -> "the broker has no replica that can store the message";
            case SEND_OK -> throw new IllegalArgumentException("stored");
        };
    }
}
