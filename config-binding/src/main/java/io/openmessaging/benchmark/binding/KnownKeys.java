package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.driver.Misspelling;
import java.util.Collection;
import java.util.Optional;

/** Finds the key, or another name, that was probably meant by a misspelt one. */
public final class KnownKeys {

    /** Largest number of known keys that a message lists if none of them is near. */
    private static final int LISTED = 8;

    private KnownKeys() {}

    /** Returns the rule that an unknown key breaks, with advice. */
    public static String unknownKeyRule(String unknown, Collection<String> known) {
        return unknownRule("key", unknown, known);
    }

    /**
     * Returns the rule that an unknown name breaks, with advice.
     *
     * @param kind kind of thing that is named, such as {@code system}
     * @param known known names
     */
    public static String unknownRule(String kind, String unknown, Collection<String> known) {
        Optional<String> nearest = nearest(unknown, known);
        if (nearest.isPresent()) {
            return "unknown " + kind + ", did you mean '" + nearest.get() + "'?";
        }
        if (known.isEmpty() || known.size() > LISTED) {
            return "unknown " + kind;
        }
        return "unknown " + kind + ", must be one of " + String.join(", ", known);
    }

    /** Returns the known key that is nearest to the given one, if it is near enough to be the one meant. */
    public static Optional<String> nearest(String unknown, Collection<String> known) {
        return Misspelling.meant(unknown, known);
    }
}
