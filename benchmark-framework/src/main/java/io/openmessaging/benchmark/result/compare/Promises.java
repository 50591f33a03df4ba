package io.openmessaging.benchmark.result.compare;

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
 * What several systems promise of an acknowledged message, and whether it is the same: the one place that decides it for
 * the console and the summary of a plan. Systems whose results tell nothing are left out. Not safe for several threads.
 */
public final class Promises {

    private final Map<String, Set<Promise>> bySystem = new LinkedHashMap<>();

    /** Adds what a result of the system tells, if it tells anything. */
    public void add(String system, JsonNode result) {
        add(system, Promise.of(result));
    }

    void add(String system, @Nullable Promise promise) {
        if (promise != null) {
            bySystem.computeIfAbsent(system, name -> new LinkedHashSet<>()).add(promise);
        }
    }

    /**
     * Whether the systems do not all promise the same, so that their figures compare unlike things. A system may promise
     * one thing in one run and another in the next: then the others have to do so too, in the same order.
     */
    public boolean differ() {
        Set<List<List<String>>> distinct = new HashSet<>();
        bySystem.values()
                .forEach(promises -> distinct.add(
                        promises.stream().map(Promise::fields).distinct().toList()));
        return distinct.size() > 1;
    }

    /** What each system promises, as a sentence, in the order in which they were added. */
    public Map<String, String> inWords() {
        Map<String, String> words = new LinkedHashMap<>();
        bySystem.forEach((system, promises) -> words.put(
                system,
                promises.stream().map(Promise::inWords).distinct().collect(Collectors.joining("; elsewhere "))));
        return Collections.unmodifiableMap(words);
    }

    /** Lines for the console that name unlike promises; none if all promise the same. */
    public List<String> warning() {
        return differ() ? warning(inWords()) : List.of();
    }

    /** The same where it is known that the promises differ. */
    public static List<String> warning(Map<String, String> inWords) {
        List<String> lines = new ArrayList<>(
                List.of(
                        "These systems do not promise the same of an acknowledged message; the figures compare unlike things:"));
        inWords.forEach((system, words) -> lines.add("  " + system + ": " + words));
        return lines;
    }
}
