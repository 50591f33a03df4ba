package io.openmessaging.benchmark.measure;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts errors by the operation in which they occurred and by their text. Errors that differ only in numbers, such as
 * an offset, are of one kind; its name is the unchanged text of the first one, because its numbers are useful to a
 * reader. Thread-safe.
 */
public final class ErrorCounts {

    /** Number of kinds that are distinguished; further kinds are counted together, to limit memory. */
    static final int MAX_KINDS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(ErrorCounts.class);

    private static final String OTHERS = "further kinds of errors";

    /** Long enough for a message that names two addresses and a limit, too short for a batch that a client prints. */
    private static final int MAX_MESSAGE_LENGTH = 500;

    private static final int GROUP_LENGTH = 200;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private record ErrorGroup(String first, LongAdder count) {}

    private final Map<String, ErrorGroup> kinds = new ConcurrentHashMap<>();

    /** Counts an error. Logs the first error of each kind in full. */
    public void count(String during, Throwable cause) {
        String error = during + ": " + describe(cause);
        String group = group(error);
        ErrorGroup kind = kinds.get(group);
        if (kind == null) {
            kind = firstOf(group, error, cause);
        }
        kind.count().increment();
    }

    private ErrorGroup firstOf(String group, String error, Throwable cause) {
        boolean known = kinds.size() < MAX_KINDS;
        ErrorGroup mine = new ErrorGroup(known ? error : OTHERS, new LongAdder());
        ErrorGroup there = kinds.putIfAbsent(known ? group : OTHERS, mine);
        if (there == null) {
            LOG.warn("{}{}", known ? "The first error of its kind: " : "The first of " + OTHERS + ": ", error, cause);
        }
        return there == null ? mine : there;
    }

    /**
     * Returns the text common to all errors of a kind, from any one of them. Only the start is used, since the place
     * where a long message was cut off depends on the length of its numbers.
     */
    public static String group(String error) {
        String masked = NUMBER.matcher(error).replaceAll("#");
        return masked.substring(0, Math.min(masked.length(), GROUP_LENGTH));
    }

    /** Returns class and message. */
    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        String name = cause.getClass().getSimpleName();
        if (message == null || message.isBlank()) {
            return name;
        }
        String firstLine = message.lines().findFirst().orElse("");
        return name + ": "
                + (firstLine.length() > MAX_MESSAGE_LENGTH
                        ? firstLine.substring(0, lengthOfWholeCharacters(firstLine)) + "…"
                        : firstLine);
    }

    /**
     * Avoids cutting a surrogate pair in half, which cannot be encoded in UTF-8 when the counts are sent and written.
     */
    private static int lengthOfWholeCharacters(String line) {
        return Character.isHighSurrogate(line.charAt(MAX_MESSAGE_LENGTH - 1))
                ? MAX_MESSAGE_LENGTH - 1
                : MAX_MESSAGE_LENGTH;
    }

    /** Returns the counts so far, by the first error of each kind. */
    public Map<String, Long> byKind() {
        Map<String, Long> byKind = new TreeMap<>();
        kinds.values().forEach(kind -> byKind.put(kind.first(), kind.count().sum()));
        return byKind;
    }
}
