package io.openmessaging.benchmark.driver.inmemory;

import java.util.Collection;
import java.util.Set;

/**
 * The messages picked for one fault.
 *
 * @param every picks one of every so many messages; 0 for none
 * @param listed picks the messages with these indexes
 */
record Picks(long every, Collection<Long> listed) {

    Picks {
        listed = Set.copyOf(listed);
    }

    boolean contain(long index) {
        return (every > 0 && (index + 1) % every == 0) || listed.contains(index);
    }
}
