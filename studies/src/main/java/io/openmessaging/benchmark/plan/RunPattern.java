package io.openmessaging.benchmark.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A pattern over {@code experiment/system/case}: in each part, {@code *} is any text and {@code ?} any character; parts
 * left out at the end are any.
 */
public final class RunPattern {

    private static final int PARTS = 3;

    private final String text;
    private final List<Pattern> parts = new ArrayList<>();

    /** Any text is a pattern. */
    public RunPattern(String text) {
        this.text = text;
        // Only the name of a case may have a slash.
        for (String part : text.split("/", PARTS)) {
            parts.add(of(part));
        }
    }

    private static Pattern of(String glob) {
        return Pattern.compile(
                glob.codePoints()
                        .mapToObj(character -> switch (character) {
                            case '*' -> ".*";
                            case '?' -> ".";
                            default -> Pattern.quote(Character.toString(character));
                        })
                        .collect(Collectors.joining()),
                Pattern.DOTALL);
    }

    /** A pattern for the name of a case: {@code *} is any text, and there are no other signs with a meaning. */
    public static Pattern ofStars(String glob) {
        return Pattern.compile(
                Stream.of(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }

    /** Whether the cell is meant. */
    public boolean matches(Cell cell) {
        List<String> names = List.of(cell.experiment(), cell.system(), cell.caseName());
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).matcher(names.get(i)).matches()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text;
    }
}
