package io.openmessaging.benchmark.driver.inmemory;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Faults of an in-memory broker, exact to the message. They allow anybody to demonstrate every finding of the harness
 * in a whole run; real brokers do none of this on demand.
 *
 * <p>Messages are counted from 0. For faults of delivery ({@code lose}, {@code duplicate}, {@code swap}, {@code
 * damage}, {@code pollError}), each subscription of a topic has its own count, in the order in which the broker took
 * the messages; for faults of sending ({@code fail}, {@code fatal}), each topic has one, in the order of the sends. A
 * message that fails is not delivered and does not count for the subscriptions. With {@code onlyPayloadBytes}, only
 * messages of that size are counted and affected; all others pass.
 *
 * <p>{@code …Every: n} picks the messages n − 1, 2n − 1, 3n − 1, …, so that exactly one of any n consecutive messages
 * is picked; 0, the default, picks none. The lists pick the messages with these indexes. A message picked for several
 * faults of delivery is lost rather than duplicated, and duplicated rather than swapped; a damaged one may be
 * duplicated or swapped.
 *
 * @param loseEvery acknowledged but not delivered to the subscription
 * @param lose see {@code loseEvery}
 * @param duplicateEvery delivered twice in a row
 * @param duplicate see {@code duplicateEvery}
 * @param swapEvery held back and delivered right after the next delivered message of the same producer and partition; a
 *     message that releases another one is not held back itself; if none follows until the producer is closed,
 *     delivered then
 * @param swap see {@code swapEvery}
 * @param damageEvery delivered with a different last byte
 * @param damage see {@code damageEvery}
 * @param failEvery the send fails
 * @param fail see {@code failEvery}
 * @param failAfter number of counted sends after which all fail; 0 for never
 * @param pollErrorEvery the message is delivered, and a client error of the kind {@code consumer poll} is reported
 * @param fatalAfter number of counted sends at which a fatal error is reported, once per topic; 0 for never
 * @param onlyPayloadBytes the size of the messages that are counted, bytes; 0 for all
 */
public record Faults(
        @Range(from = "0") long loseEvery,
        @Default("[]") List<Long> lose,
        @Range(from = "0") long duplicateEvery,
        @Default("[]") List<Long> duplicate,
        @Range(from = "0") long swapEvery,
        @Default("[]") List<Long> swap,
        @Range(from = "0") long damageEvery,
        @Default("[]") List<Long> damage,
        @Range(from = "0") long failEvery,
        @Default("[]") List<Long> fail,
        @Range(from = "0") long failAfter,
        @Range(from = "0") long pollErrorEvery,
        @Range(from = "0") long fatalAfter,
        @Range(from = "0") int onlyPayloadBytes)
        implements Checked {

    /** No faults. */
    public static final Faults NONE =
            new Faults(0, List.of(), 0, List.of(), 0, List.of(), 0, List.of(), 0, List.of(), 0, 0, 0, 0);

    boolean concernDelivery() {
        return loseEvery > 0
                || duplicateEvery > 0
                || swapEvery > 0
                || damageEvery > 0
                || pollErrorEvery > 0
                || !(lose.isEmpty() && duplicate.isEmpty() && swap.isEmpty() && damage.isEmpty());
    }

    boolean concernSends() {
        return failEvery > 0 || failAfter > 0 || fatalAfter > 0 || !fail.isEmpty();
    }

    boolean count(byte[] payload) {
        return onlyPayloadBytes == 0 || payload.length == onlyPayloadBytes;
    }

    @Override
    public void check(Problems problems) {
        Map<Long, String> pickedBy = new HashMap<>();
        checkIndexes(problems, "lose", lose, pickedBy);
        checkIndexes(problems, "duplicate", duplicate, pickedBy);
        checkIndexes(problems, "swap", swap, pickedBy);
        checkIndexes(problems, "damage", damage, new HashMap<>());
        checkIndexes(problems, "fail", fail, new HashMap<>());
    }

    private static void checkIndexes(Problems problems, String key, List<Long> indexes, Map<Long, String> pickedBy) {
        for (long index : indexes) {
            problems.require(index >= 0, key, "must hold message indexes from 0", index);
            String other = pickedBy.putIfAbsent(index, key);
            problems.require(
                    other == null,
                    key,
                    key.equals(other)
                            ? "must not hold an index twice"
                            : "must not hold an index that " + other + " holds already",
                    index);
        }
    }

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
}
