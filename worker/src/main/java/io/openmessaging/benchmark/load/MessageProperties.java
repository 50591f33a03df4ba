package io.openmessaging.benchmark.load;

import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Range;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Headers of the messaging system that every message carries besides its payload. They differ from the {@link
 * MessageHeader}, which is the first bytes of the payload.
 *
 * @param count number of headers
 * @param bytes size of each header's value
 */
public record MessageProperties(
        @Range(from = "1", to = "1_000") int count,
        @Default("16") @Range(from = "1", to = "65_536") int bytes) {

    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    /**
     * Returns the names and values of the headers, equal for all messages of a run. Values look random, since a system
     * may compress them.
     *
     * @param seed the seed of the values
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
