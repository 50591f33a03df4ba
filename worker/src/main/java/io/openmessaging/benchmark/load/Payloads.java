package io.openmessaging.benchmark.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The payload arrays of one sending thread, with content and room for the header.
 *
 * <p>If the client copies the payload, the arrays are reused in turn; if it keeps the array, each message gets a copy.
 * Each sending thread has its own instance. Not thread-safe.
 */
public final class Payloads {

    private static final long SEED = 20_260_101;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";

    private static final int MIXED_PLACES = 10_000;

    /** Overhead of an array: its object header, padding and the reference to it. */
    private static final long ARRAY_BYTES = 32;

    private final byte[][] pool;
    private final boolean freshEachTime;
    private final Rounds rounds;

    private Payloads(byte[][] pool, boolean freshEachTime, Rounds rounds) {
        this.pool = pool;
        this.rounds = rounds;
        this.freshEachTime = freshEachTime;
    }

    /**
     * Creates the payloads of one thread.
     *
     * @param contents at least one; copied, so that threads do not write into each other's headers; an array that is
     *     in the list several times is copied once
     * @param freshEachTime whether every message needs an array of its own
     * @param producers number of the thread's producers; each sends all contents, equally often
     * @param seed the seed of the order of contents
     */
    public static Payloads of(List<byte[]> contents, boolean freshEachTime, int producers, long seed) {
        Map<byte[], byte[]> copies = new IdentityHashMap<>();
        byte[][] pool = new byte[contents.size()][];
        for (int i = 0; i < pool.length; i++) {
            pool[i] = freshEachTime ? contents.get(i) : copies.computeIfAbsent(contents.get(i), byte[]::clone);
        }
        return new Payloads(pool, freshEachTime, Rounds.turned(producers, pool.length, seed));
    }

    /** Returns the memory that one thread's copies take: the bytes of all arrays, each counted once. */
    public static long copiedBytes(List<byte[]> contents) {
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        arrays.addAll(contents);
        return arrays.stream().mapToLong(array -> ARRAY_BYTES + array.length).sum();
    }

    /**
     * Returns the array for the next message.
     *
     * @param producer index of the producer among those of the thread, from 0
     */
    public byte[] next(int producer) {
        byte[] content = pool[rounds.next(producer)];
        return freshEachTime ? content.clone() : content;
    }

    /** Returns random letters and digits, equal in every run, for a workload without a payload file. */
    public static byte[] text(int sizeBytes) {
        Random random = new Random(SEED);
        byte[] text = new byte[sizeBytes];
        for (int i = 0; i < sizeBytes; i++) {
            text[i] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
        }
        return text;
    }

    /**
     * Returns payloads of random bytes and zeros, equal in every run. The random bytes follow the header, which would
     * overwrite them; the header itself does not count as random.
     *
     * @param randomBytesRatio the part of each payload that is random, from 0 to 1
     * @param headerBytes size of the header, at most {@code sizeBytes}
     */
    public static List<byte[]> random(int count, int sizeBytes, double randomBytesRatio, int headerBytes) {
        Random random = new Random(SEED);
        byte[] randomPart = new byte[randomBytes(sizeBytes, randomBytesRatio, headerBytes)];
        byte[][] payloads = new byte[count][];
        for (int i = 0; i < count; i++) {
            random.nextBytes(randomPart);
            payloads[i] = new byte[sizeBytes];
            System.arraycopy(randomPart, 0, payloads[i], headerBytes, randomPart.length);
        }
        return List.of(payloads);
    }

    /**
     * Returns the number of random bytes in a payload: the requested ratio, as far as the header leaves room for it.
     */
    public static int randomBytes(int sizeBytes, double randomBytesRatio, int headerBytes) {
        return Math.min(sizeBytes - headerBytes, (int) Math.round(sizeBytes * randomBytesRatio));
    }

    /**
     * Mixes payloads of several kinds: returns a random sequence in which each kind has places in proportion to its
     * weight, to a ten-thousandth.
     *
     * @param kinds the payloads of each kind, used in turn
     * @param weights the weights of the kinds
     * @param seed determines the sequence
     */
    public static List<byte[]> mixed(List<List<byte[]>> kinds, List<Double> weights, Seed seed) {
        int[] places = places(weights);
        List<byte[]> mixed = new ArrayList<>(MIXED_PLACES);
        for (int kind = 0; kind < places.length; kind++) {
            List<byte[]> payloads = kinds.get(kind);
            for (int i = 0; i < places[kind]; i++) {
                mixed.add(payloads.get(i % payloads.size()));
            }
        }
        Collections.shuffle(mixed, new Random(seed.value()));
        return mixed;
    }

    /** Returns the number of places of each kind. Rounds the cumulative weights, so that the numbers add up. */
    private static int[] places(List<Double> weights) {
        double all = weights.stream().mapToDouble(Double::doubleValue).sum();
        int[] places = new int[weights.size()];
        double upTo = 0;
        int given = 0;
        for (int kind = 0; kind < places.length; kind++) {
            upTo += weights.get(kind);
            int end = (int) Math.round(MIXED_PLACES * upTo / all);
            places[kind] = end - given;
            given = end;
        }
        return places;
    }
}
