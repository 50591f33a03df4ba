package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.SharedDefinitions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A system's guarantee for acknowledged messages, as recorded in a result. The fields that make up a promise are
 * defined in {@code guarantees.yaml}, which the charts read too.
 *
 * @param fields the fields that must be equal in equal promises, in the order of the definition; empty texts for
 *     missing fields
 * @param inWords the whole promise as a sentence, with a note that does not affect the comparison
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

    /** Reads the promise from a result; null if it has none. */
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
