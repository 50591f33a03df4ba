package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Empty;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Builds the tree of one file from the parser's tokens. Jackson's own tree keeps the last of two equal keys, takes an
 * alias for a text and loses the text of a number; each of these would change a run in silence.
 */
final class YamlTreeReader {

    /** Deeper than any configuration; keeps the recursion within the stack. */
    private static final int MAX_DEPTH = 32;

    private static final YAMLFactory FACTORY = YAMLFactory.builder().build();

    private final Path path;
    private final Problems problems = new Problems();

    YamlTreeReader(Path path) {
        this.path = path;
    }

    Mapping read(String text) throws ConfigException {
        try (YAMLParser parser = (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), text)) {
            JsonToken first = parser.nextToken();
            if (first == null || first == JsonToken.VALUE_NULL) {
                throw ConfigException.ofFile(path, "is empty, must have keys and values", null);
            }
            if (first != JsonToken.START_OBJECT) {
                YamlNode found = node(parser, "", 0);
                throw ConfigException.ofFile(path, "must have keys and values at its top", found);
            }
            Mapping root = mapping(parser, "", 0);
            if (parser.nextToken() != null) {
                throw ConfigException.ofFile(path, "must be a single YAML document, without '---' between two", null);
            }
            ConfigException.throwIfAny(path, problems);
            return root;
        } catch (JacksonException e) {
            throw syntaxError(e);
        }
    }

    private YamlNode node(YAMLParser parser, String key, int depth) throws ConfigException {
        if (depth > MAX_DEPTH) {
            throw ConfigException.ofFile(path, "must be nested at most " + MAX_DEPTH + " levels deep", null);
        }
        JsonToken token = parser.currentToken();
        if (parser.isCurrentAlias()) {
            problems.add(key, "must be a value of its own, aliases are not supported", "*" + parser.getString());
            return new Empty();
        }
        return switch (token) {
            case START_OBJECT -> mapping(parser, key, depth);
            case START_ARRAY -> sequence(parser, key, depth);
            default -> scalar(parser, token);
        };
    }

    private Mapping mapping(YAMLParser parser, String key, int depth) throws ConfigException {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        String prefix = key.isEmpty() ? "" : key + ".";
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            int lineNumber = parser.currentTokenLocation().getLineNr();
            parser.nextToken();
            YamlNode value = node(parser, prefix + name, depth + 1);
            if (entries.putIfAbsent(name, value) != null) {
                problems.add(prefix + name, "must be there only once, is repeated in line " + lineNumber, null);
            }
        }
        return new Mapping(entries);
    }

    private Sequence sequence(YAMLParser parser, String key, int depth) throws ConfigException {
        List<YamlNode> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(node(parser, key + "[" + elements.size() + "]", depth + 1));
        }
        return new Sequence(elements);
    }

    private static YamlNode scalar(YAMLParser parser, JsonToken token) {
        String text = parser.getString();
        if (token == JsonToken.VALUE_NULL || text.equals("~")) {
            return new Empty();
        }
        return new Scalar(text, token == JsonToken.VALUE_STRING ? text : ScalarText.plainValue(text));
    }

    private ConfigException syntaxError(JacksonException error) {
        String place = "";
        String reason = error.getOriginalMessage().lines().findFirst().orElse("");
        if (error.getCause() instanceof MarkedYamlEngineException marked) {
            Mark mark = marked.getProblemMark().orElseThrow();
            place = ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
            reason = marked.getProblem();
        }
        return ConfigException.ofFile(path, "is not valid YAML" + place + ": " + reason, null);
    }
}
