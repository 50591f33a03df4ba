package io.openmessaging.benchmark.load;

import java.util.List;

/**
 * The contents of messages: those of the user, or a few words from which every worker makes the same ones.
 *
 * @param given the user's, in their order; none if they are made
 * @param kinds the sizes that are made, at least one unless there are given ones
 * @param poolSize how many payloads of random bytes there are of each size; 0 for one of letters and digits
 * @param randomBytesRatio the part of such a payload that is random, from 0 to 1
 * @param reservedBytes how many bytes at the begin of each message are not its content: the header, and checksums if it
 *     has any
 * @param checked whether checksums are written into the contents, see {@link PayloadChecks}
 */
public record PayloadSpec(
        List<byte[]> given,
        List<SizeClass> kinds,
        int poolSize,
        double randomBytesRatio,
        int reservedBytes,
        boolean checked) {

    /** The most given messages that there may be. */
    public static final int MAX_GIVEN = 200_000;

    /**
     * The most bytes that several given messages may have together, 32 MiB: each sending thread has a copy of them, and in
     * base64 they fit into the largest request that a worker takes.
     */
    public static final int MAX_GIVEN_BYTES = 32 << 20;

    /**
     * Messages of one size.
     *
     * @param bytes the size
     * @param weight how many of them there are, in proportion to the others
     */
    public record SizeClass(int bytes, double weight) {}

    /** Messages of letters and digits. */
    public static PayloadSpec text(int bytes) {
        return new PayloadSpec(List.of(), List.of(new SizeClass(bytes, 1)), 0, 0, 0, false);
    }

    /**
     * The contents, each to be sent equally often; an array may be in the list several times.
     *
     * @param seed of the run, which the order of several sizes follows from
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
