package io.openmessaging.benchmark.config;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads numbers and booleans from the text of a YAML scalar. Quotes make no difference, as in OMB. Underscores between
 * digits are skipped ({@code 1_000}); hexadecimal numbers and leading zeros are not numbers here, because versions of
 * YAML disagree on what they mean.
 */
final class ScalarText {

    private static final String DIGITS = "(0|[1-9][0-9]*(_[0-9]+)*)";
    private static final Pattern WHOLE = Pattern.compile("[-+]?" + DIGITS);
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(" + DIGITS + "(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]{1,4})?");

    private ScalarText() {}

    static Optional<BigInteger> wholeNumber(String text) {
        return WHOLE.matcher(text).matches() ? Optional.of(new BigInteger(digits(text))) : Optional.empty();
    }

    static Optional<BigDecimal> number(String text) {
        return DECIMAL.matcher(text).matches() ? Optional.of(new BigDecimal(digits(text))) : Optional.empty();
    }

    static Optional<Boolean> bool(String text) {
        return switch (text) {
            case "true", "True", "TRUE" -> Optional.of(true);
            case "false", "False", "FALSE" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** What an unquoted text stands for: {@code Long}, {@code Double} or {@code Boolean}, else the text itself. */
    static Object plainValue(String text) {
        Optional<BigInteger> whole = wholeNumber(text);
        if (whole.isPresent() && whole.get().bitLength() < Long.SIZE) {
            return whole.get().longValue();
        }
        Optional<BigDecimal> number = number(text);
        if (number.isPresent() && Double.isFinite(number.get().doubleValue())) {
            return number.get().doubleValue();
        }
        return bool(text).<Object>map(value -> value).orElse(text);
    }

    private static String digits(String text) {
        return text.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
