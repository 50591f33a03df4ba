package io.openmessaging.benchmark.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values that a file only refers to, so that secrets need not be in it: {@code ${env:NAME}} is a variable of the process'
 * environment, {@code ${file:PATH}} the content of a file without the line ends behind it. Each process looks them up for
 * itself: with workers elsewhere, a secret does not travel.
 *
 * <p>Whatever has another form is not touched, such as {@code ${file:PATH:KEY}}, which Kafka's clients look up themselves.
 */
final class References {

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):([^:{}]+)}");

    /** A key store in text form has less; more would be a mistake. */
    private static final long MAX_FILE_BYTES = 1 << 20;

    private References() {}

    /** Whether a part of the tree refers to something. */
    static boolean in(YamlNode node) {
        return REFERENCE.matcher(node.toYaml()).find();
    }

    /**
     * The text with everything that it refers to.
     *
     * @throws IllegalArgumentException with a rule for the user if it refers to nothing
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
