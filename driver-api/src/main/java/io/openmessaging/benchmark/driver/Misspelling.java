package io.openmessaging.benchmark.driver;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by a misspelt one. */
public final class Misspelling {

    /** A longer name is no misspelling; limits the cost of the comparison. */
    private static final int MAX_CHARACTERS = 100;

    private Misspelling() {}

    /** Returns the known name that is nearest to the given one, if at most a third of the letters differ. */
    public static Optional<String> meant(String unknown, Collection<String> known) {
        return meant(unknown, known, Math.max(1, plain(unknown).length() / 3));
    }

    /**
     * Returns the known name that is nearest to the given one; the first of several equally near.
     *
     * @param most largest number of letters to insert, remove, replace or swap with their neighbour
     */
    public static Optional<String> meant(String unknown, Collection<String> known, int most) {
        if (unknown.length() > MAX_CHARACTERS) {
            return Optional.empty();
        }
        String plain = plain(unknown);
        return known.stream()
                .filter(name -> distance(plain, plain(name)) <= most)
                .min(Comparator.comparingInt(name -> distance(plain, plain(name))));
    }

    /** Removes what differs between naming styles, as in {@code message_size}. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

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
