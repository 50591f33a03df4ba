package io.openmessaging.benchmark.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The unit of repetition: an experiment with a system in a case.
 *
 * @param experiment its name
 * @param system its short name
 * @param caseName the case's name
 * @param parameters the keys of the workload that define the case, with their values
 */
public record Cell(
        String experiment,
        String system,
        @JsonProperty("case") String caseName,
        Map<String, @Nullable Object> parameters) {

    public Cell {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Returns the name that users and patterns use. */
    public String path() {
        return experiment + "/" + system + "/" + caseName;
    }
}
