package io.openmessaging.benchmark.metric;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Definitions that the charts read too, so that both sides mean the same. */
public final class SharedDefinitions {

    private static final String FOLDER = "/io/openmessaging/benchmark/result/";

    private SharedDefinitions() {}

    /** Reads a YAML file that is part of the program. */
    public static JsonNode read(String resource) {
        try (InputStream in =
                Objects.requireNonNull(SharedDefinitions.class.getResourceAsStream(FOLDER + resource), resource)) {
            return YAMLMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a list of texts from a file that has it. */
    public static List<String> texts(String resource, String list) {
        return read(resource)
                .required(list)
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
