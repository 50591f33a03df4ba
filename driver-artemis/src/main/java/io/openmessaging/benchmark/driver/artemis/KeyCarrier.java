package io.openmessaging.benchmark.driver.artemis;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;

/** Property that carries a message's key. */
public enum KeyCarrier {

    /** A property that the broker ignores. */
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

    /** JMS's name of the property. */
    String jmsProperty() {
        return jmsProperty;
    }
}
