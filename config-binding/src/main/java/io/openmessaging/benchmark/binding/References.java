package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces references in a file by the values that they refer to, so that secrets need not be in it:
 * {@code ${env:NAME}} is a variable of the process's environment, {@code ${file:PATH}} the content of a file without
 * trailing line ends. Each process resolves them itself: a secret is never sent to remote workers.
 *
 * <p>Any other form is left unchanged, such as {@code ${file:PATH:KEY}}, which Kafka's clients resolve themselves.
 */
final class References {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^:{}]+)}");

    /** A key store in text form is smaller; a larger file would be a mistake. */
    private static final long MAX_FILE_BYTES = 1 << 20;

    private References() {}

    /** Returns whether a part of the tree contains a reference. */
    static boolean in(YamlNode node) {
        return REFERENCE.matcher(node.toYaml()).find();
    }

    /**
     * Returns the tree with all references in its texts replaced.
     *
     * @throws IllegalArgumentException with a rule for the user if a reference cannot be resolved
     */
    static YamlNode resolved(YamlNode node) {
        if (node instanceof Mapping mapping) {
            Map<String, YamlNode> entries = new LinkedHashMap<>();
            mapping.entries().forEach((key, value) -> entries.put(key, resolved(value)));
            return new Mapping(entries);
        }
        if (node instanceof Sequence sequence) {
            return new Sequence(
                    sequence.elements().stream().map(References::resolved).toList());
        }
        return node instanceof Scalar scalar && scalar.value() instanceof String
                ? Scalar.of(resolved(scalar.text()))
                : node;
    }

    /**
     * Returns the text with all references replaced.
     *
     * @throws IllegalArgumentException with a rule for the user if a reference cannot be resolved
     */
    static String resolved(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(reference -> Matcher.quoteReplacement(
                        "env".equals(reference.group(1)) ? variable(reference.group(2)) : content(reference.group(2))));
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalArgumentException("needs the environment variable " + name + ", which is not set");
        }
        return value;
    }

    private static String content(String path) {
        try {
            Path file = Path.of(path);
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new IllegalArgumentException("needs a file of at most 1 MiB, and " + path + " is larger");
            }
            return Files.readString(file, StandardCharsets.UTF_8).replaceFirst("[\r\n]+\\z", "");
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("needs the file " + path + ", which does not exist", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("needs the file " + path + ", which cannot be read (" + e + ")", e);
        }
    }
}
