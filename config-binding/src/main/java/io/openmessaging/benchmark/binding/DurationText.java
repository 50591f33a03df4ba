package io.openmessaging.benchmark.binding;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations in the notation of configuration files: whole numbers with a unit, the largest first, such as
 * {@code 500ms}, {@code 30s} or {@code 1h30m}. Units are {@code ms}, {@code s}, {@code m}, {@code h} and {@code d}. A
 * bare number is not a duration, because its unit is unknown; 0 needs none.
 */
public final class DurationText {

    /** The rule for a valid value, for messages. */
    public static final String RULE = "must be a duration such as 500ms, 30s, 5m or 1h30m";

    /** At most ten digits per unit: more would be a typo, and ten digits cannot overflow. */
    private static final Pattern PATTERN =
            Pattern.compile("(?:(\\d{1,10})d)?(?:(\\d{1,10})h)?(?:(\\d{1,10})m)?(?:(\\d{1,10})s)?(?:(\\d{1,10})ms)?");

    private DurationText() {}

    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        Matcher matcher = PATTERN.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofDays(number(matcher.group(1)))
                .plusHours(number(matcher.group(2)))
                .plusMinutes(number(matcher.group(3)))
                .plusSeconds(number(matcher.group(4)))
                .plusMillis(number(matcher.group(5))));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** Formats the duration in the notation of the files, such as {@code 1h30m}; omits fractions of a millisecond. */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static void append(StringBuilder text, long number, String unit) {
        if (number != 0) {
            text.append(number).append(unit);
        }
    }
}
