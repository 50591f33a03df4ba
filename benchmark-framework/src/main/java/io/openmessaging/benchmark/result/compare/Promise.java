package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.SharedDefinitions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a system promises of a message that it has acknowledged, as a result has it. Which fields make a promise is defined
 * in {@code guarantees.yaml}, which the charts read too.
 *
 * @param fields those that have to be equal in like promises, in the order of the definition; empty texts for missing ones
 * @param inWords all of it as a sentence, with a note that makes no other promise
 */
record Promise(List<String> fields, String inWords) {

    private static final List<String> COMPARED = SharedDefinitions.read("guarantees.yaml")
            .path("compared")
            .valueStream()
            .map(JsonNode::asString)
            .toList();

    Promise {
        fields = List.copyOf(fields);
    }

    /** The promise in a result; null if the result has none. */
    static @Nullable Promise of(JsonNode result) {
        JsonNode guarantee = result.path("broker").path("guarantee");
        if (!guarantee.isObject()) {
            return null;
        }
        List<String> fields = COMPARED.stream()
                .map(field -> guarantee.path(field).asString(""))
                .toList();
        return new Promise(fields, guarantee.path("inWords").asString(""));
    }
}
