package io.openmessaging.benchmark.load;

import java.util.List;

/**
 * The contents of messages: either given by the user, or a short description from which every worker generates equal
 * contents.
 *
 * @param given the user's contents, in their order; empty if contents are generated
 * @param kinds the sizes to generate; at least one unless contents are given
 * @param poolSize number of payloads of random bytes of each size; 0 for one payload of letters and digits
 * @param randomBytesRatio the part of such a payload that is random, from 0 to 1
 * @param reservedBytes number of bytes at the start of each message that are not content: the header, and checksums if
 *     there are any
 * @param checked true if checksums are written into the contents, see {@link PayloadChecks}
 */
public record PayloadSpec(
        List<byte[]> given,
        List<SizeClass> kinds,
        int poolSize,
        double randomBytesRatio,
        int reservedBytes,
        boolean checked) {

    /** Largest number of given messages. */
    public static final int MAX_GIVEN = 200_000;

    /**
     * Largest total size of several given messages, 32 MiB: each sending thread has a copy of them, and in base64 they
     * fit into the largest request that a worker accepts.
     */
    public static final int MAX_GIVEN_BYTES = 32 << 20;

    /**
     * Messages of one size.
     *
     * @param bytes the size
     * @param weight their number, in proportion to the other sizes
     */
    public record SizeClass(int bytes, double weight) {}

    /** Returns a specification for messages of letters and digits. */
    public static PayloadSpec text(int bytes) {
        return new PayloadSpec(List.of(), List.of(new SizeClass(bytes, 1)), 0, 0, 0, false);
    }

    /**
     * Returns the contents, each to be sent equally often; an array may be in the list several times.
     *
     * @param seed the seed of the run, which determines the order of several sizes
     */
    public List<byte[]> contents(Seed seed) {
        List<byte[]> contents = made(seed);
        if (checked) {
            PayloadChecks.addTo(contents);
        }
        return contents;
    }

    private List<byte[]> made(Seed seed) {
        if (!given.isEmpty()) {
            return given.stream().map(byte[]::clone).toList();
        }
        return kinds.size() == 1
                ? ofSize(kinds.get(0).bytes())
                : Payloads.mixed(
                        kinds.stream().map(kind -> ofSize(kind.bytes())).toList(),
                        kinds.stream().map(SizeClass::weight).toList(),
                        seed.part(0));
    }

    private List<byte[]> ofSize(int bytes) {
        return poolSize == 0
                ? List.of(Payloads.text(bytes))
                : Payloads.random(poolSize, bytes, randomBytesRatio, reservedBytes);
    }
}
