package io.openmessaging.benchmark.driver.artemis;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;

/** Where a message's key travels. */
public enum KeyCarrier {

    /** In a property that means nothing to the broker. */
    PROPERTY(SimpleString.of("key"), "key"),

    /** In {@code _AMQ_GROUP_ID}: the broker gives all messages of a key to the same consumer of a queue. */
    GROUP_ID(Message.HDR_GROUP_ID, "JMSXGroupID");

    private final SimpleString property;
    private final String jmsProperty;

    KeyCarrier(SimpleString property, String jmsProperty) {
        this.property = property;
        this.jmsProperty = jmsProperty;
    }

    SimpleString property() {
        return property;
    }

    /** What JMS calls it. */
    String jmsProperty() {
        return jmsProperty;
    }
}
