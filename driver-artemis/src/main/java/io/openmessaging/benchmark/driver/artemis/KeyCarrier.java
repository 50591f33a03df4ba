package io.openmessaging.benchmark.driver.artemis;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;

/** Where a message's key travels. */
public enum KeyCarrier {

    /** In a property that means nothing to the broker. */
    PROPERTY(SimpleString.of("key")),

    /** In {@code _AMQ_GROUP_ID}: the broker gives all messages of a key to the same consumer of a queue. */
    GROUP_ID(Message.HDR_GROUP_ID);

    private final SimpleString property;

    KeyCarrier(SimpleString property) {
        this.property = property;
    }

    SimpleString property() {
        return property;
    }
}
