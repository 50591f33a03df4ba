package io.openmessaging.benchmark.result.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Removes secrets from configuration before it is written into a result, which people pass on. Secrets are recognized
 * by their key; it is better to hide too much than too little.
 */
final class Secrets {

    /** The replacement for a secret. */
    static final String MASK = "***";

    private static final Pattern SECRET_KEY = Pattern.compile(
            "passw|pass$|masterauth|passphrase|secret|token|credential|jaas|private.?key|access.?key|api.?key|nkey|keystore\\.key|auth.*params",
            Pattern.CASE_INSENSITIVE);

    /**
     * A line of a properties text or a {@code -Dkey=value}, even in a comment: the text up to the value, then the
     * value.
     */
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(\\s*[#!]*\\s*([^\\s=:]+)(?:\\s*[=:]\\s*|\\s+))(.*)", Pattern.DOTALL);

    /** A secret within a line: {@code … password="secret";}. */
    private static final Pattern WITHIN_LINE = Pattern.compile(
            "((?:passw\\w*|passphrase|secret\\w*|token)\\s*=\\s*)(?:\"[^\"]*\"|'[^']*'|[^\\s;,&\"']+)",
            Pattern.CASE_INSENSITIVE);

    /** The password in {@code scheme://user:password@host}. */
    private static final Pattern WITHIN_ADDRESS = Pattern.compile("(\\w://[^\\s/:@]*:)[^\\s/@]+(?=@)");

    /** A token without a key that identifies it, as in Pulsar: {@code token:eyJh…}. */
    private static final Pattern BARE_TOKEN = Pattern.compile("\\s*token:.*", Pattern.DOTALL);

    /** A reference that says where a secret is, not what it is; see config-binding's {@code References}. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(?:env|file):[^{}]+}");

    private Secrets() {}

    /** Returns the settings in the same order, with every secret replaced. */
    static Map<String, @Nullable Object> mask(Map<String, ? extends @Nullable Object> settings) {
        Map<String, @Nullable Object> masked = new LinkedHashMap<>();
        settings.forEach((key, value) ->
                masked.put(key, value != null && isSecret(key) ? maskAll(value.toString()) : maskValue(value)));
        return masked;
    }

    private static String maskAll(String secret) {
        return REFERENCE.matcher(secret).matches() ? secret : MASK;
    }

    /** Returns the text with the secrets in its addresses and {@code key=value} lines replaced. */
    static String mask(String text) {
        if (BARE_TOKEN.matcher(text).matches()) {
            return "token:" + MASK;
        }
        List<String> lines = new ArrayList<>();
        boolean withinSecret = false;
        for (String line : text.split("\n", -1)) {
            if (!withinSecret) {
                lines.add(maskLine(line));
            }
            withinSecret = continues(line) && (withinSecret || holdsSecret(line));
        }
        return String.join("\n", lines);
    }

    private static @Nullable Object maskValue(@Nullable Object value) {
        if (value instanceof String text) {
            return mask(text);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> settings = new LinkedHashMap<>();
            map.forEach((key, inner) -> settings.put(String.valueOf(key), inner));
            return mask(settings);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Secrets::maskValue).toList();
        }
        return value;
    }

    private static boolean isSecret(String key) {
        return SECRET_KEY.matcher(key).find();
    }

    private static boolean holdsSecret(String line) {
        Matcher assignment = ASSIGNMENT.matcher(line);
        return assignment.matches() && isSecret(assignment.group(2));
    }

    private static String maskLine(String line) {
        Matcher assignment = ASSIGNMENT.matcher(line);
        if (assignment.matches() && isSecret(assignment.group(2))) {
            return assignment.group(1) + maskAll(assignment.group(3));
        }
        String masked = "$1" + Matcher.quoteReplacement(MASK);
        return WITHIN_LINE
                .matcher(WITHIN_ADDRESS.matcher(line).replaceAll(masked))
                .replaceAll(masked);
    }

    /**
     * Returns whether the next line continues this one: in properties, a line that ends with an odd number of
     * backslashes.
     */
    private static boolean continues(String line) {
        int end = line.endsWith("\r") ? line.length() - 1 : line.length();
        int backslashes = 0;
        while (backslashes < end && line.charAt(end - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
