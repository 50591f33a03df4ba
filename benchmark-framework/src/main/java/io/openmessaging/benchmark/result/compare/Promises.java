package io.openmessaging.benchmark.result.compare;

import io.openmessaging.benchmark.metric.SharedDefinitions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The promises of several systems for acknowledged messages. This class alone decides whether they are the same, both
 * for the console and for the summary of a plan. Systems whose results have no promise are left out. Not thread-safe.
 */
public final class Promises {

    private final Map<String, Set<Promise>> bySystem = new LinkedHashMap<>();

    /** Adds the promise from a system's result, if it has one. */
    public void add(String system, JsonNode result) {
        add(system, Promise.of(result));
    }

    void add(String system, @Nullable Promise promise) {
        if (promise != null) {
            bySystem.computeIfAbsent(system, name -> new LinkedHashSet<>()).add(promise);
        }
    }

    /**
     * Returns whether the systems promise different things, so that comparing their figures is unfair. A system may
     * promise one thing in one run and another in the next; the others then have to do so too, in the same order.
     */
    public boolean differ() {
        Set<List<List<String>>> distinct = new HashSet<>();
        bySystem.values()
                .forEach(promises -> distinct.add(
                        promises.stream().map(Promise::fields).distinct().toList()));
        return distinct.size() > 1;
    }

    /** Returns the promises of each system as a sentence, in the order of their addition. */
    public Map<String, String> inWords() {
        Map<String, String> words = new LinkedHashMap<>();
        bySystem.forEach((system, promises) -> words.put(
                system,
                promises.stream().map(Promise::inWords).distinct().collect(Collectors.joining("; elsewhere "))));
        return Collections.unmodifiableMap(words);
    }

    /** Returns lines for the console that name the different promises; empty if all are the same. */
    public List<String> warning() {
        if (!differ()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(
                List.of(
                        "These systems give different guarantees for acknowledged messages; their figures are not comparable:"));
        inWords().forEach((system, words) -> lines.add("  " + system + ": " + words));
        return lines;
    }

    /**
     * A system's guarantee for acknowledged messages, as recorded in a result. The fields that make up a promise are
     * defined in {@code guarantees.yaml}, which the charts read too.
     *
     * @param fields the fields that must be equal in equal promises, in the order of the definition; empty texts for
     *     missing fields
     * @param inWords the whole promise as a sentence, with a note that does not affect the comparison
     */
    record Promise(List<String> fields, String inWords) {

        private static final List<String> COMPARED = SharedDefinitions.texts("guarantees.yaml", "compared");

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
}
