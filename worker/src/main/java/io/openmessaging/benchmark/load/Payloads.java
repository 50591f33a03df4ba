package io.openmessaging.benchmark.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The contents of messages: an array for each, its header still to be written.
 *
 * <p>Each sending thread has its own. Where the client copies what it is given, the same arrays come round again;
 * where it keeps them, each message gets a copy. Not thread-safe.
 */
public final class Payloads {

    private static final long SEED = 20_260_101;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";

    private static final int MIXED_PLACES = 10_000;

    /** An array's own header, its padding, and where it is referred to. */
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
     * The payloads of one thread.
     *
     * @param contents at least one; copied, so that threads do not write into each other's headers; an array that is in
     *     the list several times is copied once
     * @param freshEachTime whether every message needs an array of its own
     * @param producers how many the thread has: each sends all contents, equally often
     * @param seed of the order in which they do
     */
    public static Payloads of(List<byte[]> contents, boolean freshEachTime, int producers, long seed) {
        Map<byte[], byte[]> copies = new IdentityHashMap<>();
        byte[][] pool = new byte[contents.size()][];
        for (int i = 0; i < pool.length; i++) {
            pool[i] = freshEachTime ? contents.get(i) : copies.computeIfAbsent(contents.get(i), byte[]::clone);
        }
        return new Payloads(pool, freshEachTime, Rounds.turned(producers, pool.length, seed));
    }

    /** What one thread's copies take: the bytes of all arrays, each counted once. */
    public static long copiedBytes(List<byte[]> contents) {
        Set<byte[]> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        arrays.addAll(contents);
        return arrays.stream().mapToLong(array -> ARRAY_BYTES + array.length).sum();
    }

    /**
     * The array of the next message.
     *
     * @param producer which of the thread's producers sends it, from 0
     */
    public byte[] next(int producer) {
        byte[] content = pool[rounds.next(producer)];
        return freshEachTime ? content.clone() : content;
    }

    /** Text of random letters and digits, the same in every run: what a workload without a payload file sends. */
    public static byte[] text(int sizeBytes) {
        Random random = new Random(SEED);
        byte[] text = new byte[sizeBytes];
        for (int i = 0; i < sizeBytes; i++) {
            text[i] = (byte) ALPHABET.charAt(random.nextInt(ALPHABET.length()));
        }
        return text;
    }

    /**
     * Payloads of random bytes and zeros, the same in every run. The random bytes follow the header, which would
     * overwrite them; what it contains itself does not count as random.
     *
     * @param randomBytesRatio the part of each payload that is random, from 0 to 1
     * @param headerBytes how many bytes the header will take, at most {@code sizeBytes}
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

    /** How many bytes of a payload are random: what the ratio asks for, as far as the header leaves room for it. */
    public static int randomBytes(int sizeBytes, double randomBytesRatio, int headerBytes) {
        return Math.min(sizeBytes - headerBytes, (int) Math.round(sizeBytes * randomBytesRatio));
    }

    /**
     * Payloads of several kinds, mixed: a sequence in which each kind has as many places as its weight asks for, to a
     * ten-thousandth, at random.
     *
     * @param kinds the payloads of each kind, used in turn
     * @param weights of the kinds
     * @param seed the same one gives the same sequence
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

    /** Rounded so that they add up: to where the weights up to and with each kind end. */
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
