package io.openmessaging.benchmark.driver.artemis;

import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.SimpleString;

/** A header of a message in the client's own form, which is made once for all messages of a producer. */
record MessageProperty(SimpleString name, SimpleString value) {

    static List<MessageProperty> of(Map<String, String> headers) {
        return headers.entrySet().stream()
                .map(header ->
                        new MessageProperty(SimpleString.of(header.getKey()), SimpleString.of(header.getValue())))
                .toList();
    }
}
