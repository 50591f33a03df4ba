package io.openmessaging.benchmark.plan;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A pattern for {@code experiment/system/case}: in each part, {@code *} matches any text and {@code ?} any character;
 * parts omitted at the end match anything.
 */
public final class RunPattern {

    private static final int PARTS = 3;

    private final String text;
    private final List<Pattern> parts;

    /** Creates a pattern; any text is valid. */
    public RunPattern(String text) {
        this.text = text;
        // Only the name of a case may have a slash.
        this.parts = Stream.of(text.split("/", PARTS))
                .map(part -> regex(part, Map.of("*", ".*", "?", ".")))
                .toList();
    }

    /** Returns a pattern for the name of a case: {@code *} matches any text, and no other character is special. */
    public static Pattern ofStars(String glob) {
        return regex(glob, Map.of("*", ".*"));
    }

    private static Pattern regex(String glob, Map<String, String> meanings) {
        return Pattern.compile(
                glob.codePoints()
                        .mapToObj(Character::toString)
                        .map(sign -> meanings.getOrDefault(sign, Pattern.quote(sign)))
                        .collect(Collectors.joining()),
                Pattern.DOTALL);
    }

    /** Returns whether the cell matches. */
    public boolean matches(Cell cell) {
        List<String> names = List.of(cell.experiment(), cell.system(), cell.caseName());
        return IntStream.range(0, parts.size())
                .allMatch(i -> parts.get(i).matcher(names.get(i)).matches());
    }

    @Override
    public String toString() {
        return text;
    }
}
