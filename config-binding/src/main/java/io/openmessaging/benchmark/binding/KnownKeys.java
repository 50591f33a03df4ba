package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.driver.Misspelling;
import java.util.Collection;
import java.util.Optional;

/** Finds the key, or another name, that a misspelt one was meant to be. */
public final class KnownKeys {

    /** Up to how many known keys a message lists when none of them is near. */
    private static final int LISTED = 8;

    private KnownKeys() {}

    /** The rule that an unknown key breaks, with advice. */
    public static String unknownKeyRule(String unknown, Collection<String> known) {
        return unknownRule("key", unknown, known);
    }

    /**
     * The rule that an unknown name breaks, with advice.
     *
     * @param kind what it is a name of, such as {@code system}
     * @param known the names that there are
     */
    public static String unknownRule(String kind, String unknown, Collection<String> known) {
        Optional<String> nearest = nearest(unknown, known);
        if (nearest.isPresent()) {
            return "unknown " + kind + ", did you mean '" + nearest.get() + "'?";
        }
        if (known.isEmpty() || known.size() > LISTED) {
            return "unknown " + kind;
        }
        return "unknown " + kind + ", known are " + String.join(", ", known);
    }

    /** The known key that is nearest to the given one, if any is near enough to be what was meant. */
    public static Optional<String> nearest(String unknown, Collection<String> known) {
        return Misspelling.meant(unknown, known);
    }
}
