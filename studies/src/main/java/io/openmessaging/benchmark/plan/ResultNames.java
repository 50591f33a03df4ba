package io.openmessaging.benchmark.plan;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Names of result files. A plan gives the same names each time it is read, so that an interrupted plan finds its files.
 */
final class ResultNames {

    /** Keeps a file's name within the 255 bytes that file systems allow. */
    private static final int MAX_CASE_CHARACTERS = 80;

    private final Map<Cell, String> stems = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    /**
     * Returns a name that no other cell has: cases that differ only in special characters would otherwise share one.
     */
    String of(Cell cell, int repetition) {
        return stems.computeIfAbsent(cell, this::freeStem) + "-" + repetition + ".json";
    }

    private String freeStem(Cell cell) {
        String stem = cell.experiment() + "-" + cell.system() + "-" + slug(cell.caseName());
        String free = stem;
        for (int number = 2; !taken.add(free); number++) {
            free = stem + "_" + number;
        }
        return free;
    }

    static String slug(String text) {
        String slug =
                text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String suitable = slug.isEmpty() ? "case" : slug;
        return suitable.length() <= MAX_CASE_CHARACTERS ? suitable : suitable.substring(0, MAX_CASE_CHARACTERS);
    }
}
