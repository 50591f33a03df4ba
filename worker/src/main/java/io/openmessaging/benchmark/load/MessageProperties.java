package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Headers of the system that every message carries, beside its payload. They are not the {@link MessageHeader}, which is
 * the first bytes of the payload.
 *
 * @param count how many
 * @param bytes of the value of each
 */
public record MessageProperties(
        @Range(from = "1", to = "1_000") int count,
        @Default("16") @Range(from = "1", to = "65_536") int bytes) {

    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    /**
     * Their names and values. All messages of a run have the same ones; values look random, since a system may compress
     * them.
     *
     * @param seed of the values
     */
    public Map<String, String> values(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i <= count; i++) {
            values.put("header-" + i, letters(random));
        }
        return Collections.unmodifiableMap(values);
    }

    private String letters(SplittableRandom random) {
        StringBuilder value = new StringBuilder(bytes);
        for (int i = 0; i < bytes; i++) {
            value.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return value.toString();
    }
}
