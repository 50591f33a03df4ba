package io.openmessaging.benchmark.cli;

import java.util.Locale;

/** Lines of a name and a description, for lists on the console. */
final class ConsoleRow {

    private static final int WIDTH = 120;

    private ConsoleRow() {}

    /**
     * Formats a line, cut at the width of a console.
     *
     * @param nameWidth characters
     */
    static String of(String name, int nameWidth, String about) {
        String row = String.format(Locale.ROOT, "%-" + nameWidth + "s %s", name, about)
                .stripTrailing();
        return row.length() > WIDTH ? row.substring(0, WIDTH - 1) + "…" : row;
    }
}
