package io.openmessaging.benchmark.binding;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads numbers and booleans from the text of a YAML scalar. Underscores between digits are skipped ({@code 1_000}).
 * Hexadecimal numbers and numbers with leading zeros are rejected, because versions of YAML disagree on their meaning.
 */
public final class ScalarText {

    /** Longer than any number that fits a primitive type; limits the cost of the arithmetic. */
    private static final int MAX_CHARACTERS = 64;

    private static final String DIGITS = "(?:0|[1-9][0-9]*(?:_[0-9]+)*)";
    private static final Pattern WHOLE = Pattern.compile("[-+]?" + DIGITS);
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(?:" + DIGITS + "(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?");

    private ScalarText() {}

    public static Optional<BigInteger> wholeNumber(String text) {
        return matches(WHOLE, text) ? Optional.of(new BigInteger(text.replace("_", ""))) : Optional.empty();
    }

    public static Optional<BigDecimal> number(String text) {
        return matches(DECIMAL, text) ? Optional.of(new BigDecimal(text.replace("_", ""))) : Optional.empty();
    }

    private static boolean matches(Pattern pattern, String text) {
        return text.length() <= MAX_CHARACTERS && pattern.matcher(text).matches();
    }

    static Optional<Boolean> bool(String text) {
        return switch (text) {
            case "true", "True", "TRUE" -> Optional.of(true);
            case "false", "False", "FALSE" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /**
     * Returns the value that YAML gives to an unquoted text: {@code Long}, {@code Double} or {@code Boolean}, else the
     * text itself. A number with underscores is a text in YAML 1.2.
     */
    public static Object plainValue(String text) {
        if (text.contains("_")) {
            return text;
        }
        Optional<BigInteger> whole = wholeNumber(text);
        if (whole.isPresent() && whole.get().bitLength() < Long.SIZE) {
            return whole.get().longValue();
        }
        Optional<BigDecimal> number = number(text);
        if (number.isPresent() && Double.isFinite(number.get().doubleValue())) {
            return number.get().doubleValue();
        }
        Optional<Boolean> bool = bool(text);
        return bool.isPresent() ? bool.get() : text;
    }
}
