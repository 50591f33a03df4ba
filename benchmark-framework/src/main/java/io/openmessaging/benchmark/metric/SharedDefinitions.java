package io.openmessaging.benchmark.metric;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Definitions that the charts read too, so that both sides mean the same. */
public final class SharedDefinitions {

    private static final String FOLDER = "/io/openmessaging/benchmark/result/";

    private static final Map<String, JsonNode> READ = new ConcurrentHashMap<>();

    private SharedDefinitions() {}

    /** Returns a YAML file that is part of the program; it is parsed once, so nobody must change it. */
    public static JsonNode read(String resource) {
        return READ.computeIfAbsent(resource, SharedDefinitions::parse);
    }

    private static JsonNode parse(String resource) {
        try (InputStream in =
                Objects.requireNonNull(SharedDefinitions.class.getResourceAsStream(FOLDER + resource), resource)) {
            return YAMLMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a list of texts of a file that has it. */
    public static List<String> texts(String resource, String list) {
        return read(resource)
                .required(list)
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }
}
