package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Empty;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.Event.ID;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Builds the tree of one file from the parser's events. The parser's own tree has no depth limit, and replaces aliases
 * by the values that they stand for.
 */
final class YamlTreeReader {

    /** Deeper than any configuration; keeps the recursion within the stack. */
    private static final int MAX_DEPTH = 32;

    /** The file's size is limited when it is read; its text may be longer if {@link YamlNode#toYaml} has escaped it. */
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setCodePointLimit(8 * YamlFile.MAX_BYTES).build();

    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

    private final Path path;
    private final Iterator<Event> events;
    private final Problems problems = new Problems();

    private YamlTreeReader(Path path, String text) {
        this.path = path;
        this.events = new Parse(SETTINGS).parseString(text).iterator();
    }

    static Mapping read(Path path, String text) throws ConfigException {
        try {
            return new YamlTreeReader(path, text).document();
        } catch (MarkedYamlEngineException e) {
            throw syntaxError(path, e.getProblemMark(), e.getProblem());
        } catch (YamlEngineException e) {
            throw syntaxError(path, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    private Mapping document() throws ConfigException {
        events.next(); // The start of the stream; the next event starts a document, unless there is none.
        YamlNode top = events.next().getEventId() == ID.StreamEnd ? new Empty() : node(events.next(), "", 0);
        if (top instanceof Empty) {
            throw ConfigException.ofFile(path, "is empty, must have keys and values", null);
        }
        if (!(top instanceof Mapping root)) {
            throw ConfigException.ofFile(path, "must have keys and values at the top level", top);
        }
        events.next(); // The end of the document.
        if (events.next().getEventId() != ID.StreamEnd) {
            throw ConfigException.ofFile(path, "must be a single YAML document, without '---' between two", null);
        }
        ConfigException.throwIfAny(path, problems);
        return root;
    }

    private YamlNode node(Event event, String key, int depth) throws ConfigException {
        if (depth > MAX_DEPTH) {
            throw ConfigException.ofFile(path, "must be nested at most " + MAX_DEPTH + " levels deep", null);
        }
        if (event instanceof ScalarEvent scalar) {
            return scalar(scalar);
        }
        if (event instanceof AliasEvent alias) {
            String rule = "must be a plain value, aliases are not supported";
            problems.add(key, rule, "*" + alias.getAlias().getValue());
            return new Empty();
        }
        return event.getEventId() == ID.MappingStart ? mapping(key, depth) : sequence(key, depth);
    }

    private Mapping mapping(String key, int depth) throws ConfigException {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        String prefix = key.isEmpty() ? "" : key + ".";
        for (Event event = events.next(); event.getEventId() != ID.MappingEnd; event = events.next()) {
            if (!(event instanceof ScalarEvent name)) {
                throw syntaxError(path, event.getStartMark(), "a key must be a single value");
            }
            String nameKey = prefix + name.getValue();
            if (entries.putIfAbsent(name.getValue(), node(events.next(), nameKey, depth + 1)) != null) {
                int lineNumber = name.getStartMark().orElseThrow().getLine() + 1;
                problems.add(nameKey, "must occur only once, is repeated in line " + lineNumber, null);
            }
        }
        return new Mapping(entries);
    }

    private Sequence sequence(String key, int depth) throws ConfigException {
        List<YamlNode> elements = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != ID.SequenceEnd; event = events.next()) {
            elements.add(node(event, key + "[" + elements.size() + "]", depth + 1));
        }
        return new Sequence(elements);
    }

    private static YamlNode scalar(ScalarEvent event) {
        String text = event.getValue();
        if (!event.isPlain() || event.getTag().isPresent()) {
            return Scalar.of(text);
        }
        return NOTHING.contains(text) ? new Empty() : new Scalar(text, ScalarText.plainValue(text));
    }

    private static ConfigException syntaxError(Path path, Optional<Mark> mark, String reason) {
        String place = mark.map(at -> ", line " + (at.getLine() + 1) + ", column " + (at.getColumn() + 1))
                .orElse("");
        return ConfigException.ofFile(path, "is not valid YAML" + place + ": " + reason, null);
    }
}
