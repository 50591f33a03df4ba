package io.openmessaging.benchmark.binding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the key, or another name, that a misspelt one was meant to be. */
public final class KnownKeys {

    /** Up to how many known keys a message lists when none of them is near. */
    private static final int LISTED = 8;

    /** A longer key is no misspelling; keeps the comparison short. */
    private static final int MAX_CHARACTERS = 100;

    private KnownKeys() {}

    /** The rule that an unknown key breaks, with advice. */
    public static String unknownKeyRule(String unknown, Collection<String> known) {
        return unknownRule("key", unknown, known);
    }

    /**
     * The rule that an unknown name breaks, with advice.
     *
     * @param kind what it is a name of, such as {@code system}
     * @param known the names that there are
     */
    public static String unknownRule(String kind, String unknown, Collection<String> known) {
        Optional<String> nearest = nearest(unknown, known);
        if (nearest.isPresent()) {
            return "unknown " + kind + ", did you mean '" + nearest.get() + "'?";
        }
        if (known.isEmpty() || known.size() > LISTED) {
            return "unknown " + kind;
        }
        return "unknown " + kind + ", known are " + String.join(", ", known);
    }

    /** The known key that is nearest to the given one, if any is near enough to be what was meant. */
    public static Optional<String> nearest(String unknown, Collection<String> known) {
        if (unknown.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        String plain = plain(unknown);
        int limit = Math.max(1, plain.length() / 3);
        return known.stream()
                .filter(key -> distance(plain, plain(key)) <= limit)
                .min(Comparator.comparingInt(key -> distance(plain, plain(key))));
    }

    /** Without what differs between styles of writing, as in {@code message_size}. */
    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** How many letters have to be inserted, removed, replaced or swapped with their neighbour. */
    private static int distance(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : edits(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int edits(int[][] edits, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int least = Math.min(edits[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
    }
}
