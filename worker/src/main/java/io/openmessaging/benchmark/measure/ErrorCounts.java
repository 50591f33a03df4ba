package io.openmessaging.benchmark.measure;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts errors by what they happened in and what they were. Errors that differ in numbers alone, such as an offset, are of
 * one kind, which is named by the first of them as it was: its numbers are what a reader needs. Thread-safe.
 */
public final class ErrorCounts {

    /** How many kinds are told apart; more are counted together, so that errors cannot eat the memory. */
    static final int MAX_KINDS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(ErrorCounts.class);

    private static final String OTHERS = "further kinds of errors";

    /** A message that names two addresses and a limit has room; a batch that a client prints has not. */
    private static final int MAX_MESSAGE_LENGTH = 500;

    private static final int GROUP_LENGTH = 200;

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private record ErrorGroup(String first, LongAdder count) {}

    private final Map<String, ErrorGroup> kinds = new ConcurrentHashMap<>();

    /** One more error. The first of its kind is logged with all that it says. */
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
     * What errors of one kind have in common, from what any of them says. Only the begin counts: where a long message was cut
     * off depends on how long its numbers are.
     */
    public static String group(String error) {
        String masked = NUMBER.matcher(error).replaceAll("#");
        return masked.substring(0, Math.min(masked.length(), GROUP_LENGTH));
    }

    /** Class and message. */
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

    /** Half a character has no form in UTF-8, and the counts are to be sent and written. */
    private static int lengthOfWholeCharacters(String line) {
        return Character.isHighSurrogate(line.charAt(MAX_MESSAGE_LENGTH - 1))
                ? MAX_MESSAGE_LENGTH - 1
                : MAX_MESSAGE_LENGTH;
    }

    /** The counts so far, by the first error of each kind. */
    public Map<String, Long> byKind() {
        Map<String, Long> byKind = new TreeMap<>();
        kinds.values().forEach(kind -> byKind.put(kind.first(), kind.count().sum()));
        return byKind;
    }
}
