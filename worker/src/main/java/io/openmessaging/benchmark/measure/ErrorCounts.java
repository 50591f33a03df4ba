package io.openmessaging.benchmark.measure;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts errors by what they happened in and what they were. Thread-safe. */
public final class ErrorCounts {

    /** How many kinds are told apart; more are counted together, so that errors cannot eat the memory. */
    static final int MAX_KINDS = 50;

    private static final String OTHERS = "further kinds of errors";
    private static final int MAX_MESSAGE_LENGTH = 200;

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** One more error. */
    public void count(String during, Throwable cause) {
        String kind = during + ": " + describe(cause);
        LongAdder count = counts.get(kind);
        if (count == null) {
            count = counts.computeIfAbsent(counts.size() < MAX_KINDS ? kind : OTHERS, k -> new LongAdder());
        }
        count.increment();
    }

    /** Class and message; numbers are left out, so that errors that differ only in an offset or an id are of a kind. */
    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        String name = cause.getClass().getSimpleName();
        if (message == null || message.isBlank()) {
            return name;
        }
        String firstLine = message.lines().findFirst().orElse("").replaceAll("\\d+", "#");
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

    /** The counts so far. */
    public Map<String, Long> byKind() {
        Map<String, Long> byKind = new TreeMap<>();
        counts.forEach((kind, count) -> byKind.put(kind, count.sum()));
        return byKind;
    }
}
