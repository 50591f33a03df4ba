package io.openmessaging.benchmark.cli.console;

import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** Lines of a name and a description, for lists on the console. */
public final class ConsoleRow {

    private ConsoleRow() {}

    /**
     * Returns the width at which lines wrap: that of the terminal. In a pipe they do not, for the sake of programs that
     * read lines.
     */
    public static int width(CommandSpec command) {
        return Terminal.isOutput() ? command.usageMessage().width() : Integer.MAX_VALUE;
    }

    /**
     * Formats a row, whose description continues below itself.
     *
     * @param nameWidth characters
     * @param width characters of a line
     */
    public static String of(String name, int nameWidth, String about, int width) {
        String start = String.format(Locale.ROOT, "%-" + nameWidth + "s ", name);
        return wrapped(start + about, " ".repeat(nameWidth + 1), width);
    }

    /**
     * Wraps a line at spaces.
     *
     * @param indent starts each further line
     * @param width characters of a line, unless a word is longer
     */
    public static String wrapped(String text, String indent, int width) {
        StringBuilder lines = new StringBuilder();
        String rest = text.stripTrailing();
        while (rest.length() > width) {
            int end = rest.lastIndexOf(' ', width);
            if (end < indent.length() || rest.substring(0, end).isBlank()) {
                end = rest.indexOf(' ', width);
            }
            if (end < 0) {
                break;
            }
            lines.append(rest.substring(0, end).stripTrailing()).append('\n');
            rest = indent + rest.substring(end).strip();
        }
        return lines.append(rest).toString();
    }
}
