package io.openmessaging.benchmark.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of messages in a few words, from which every worker makes the same ones.
 *
 * @param content the bytes of all messages; null if they are made
 * @param kinds the sizes that are made, at least one unless there is a content
 * @param poolSize how many payloads of random bytes there are of each size; 0 for one of letters and digits
 * @param randomBytesRatio the part of such a payload that is random, from 0 to 1
 * @param reservedBytes how many bytes at the begin of each message are not its content: the header, and checksums if it
 *     has any
 * @param checked whether checksums are written into the contents, see {@link PayloadChecks}
 */
public record PayloadSpec(
        byte @Nullable [] content,
        List<Kind> kinds,
        int poolSize,
        double randomBytesRatio,
        int reservedBytes,
        boolean checked) {

    /**
     * Messages of one size.
     *
     * @param bytes the size
     * @param weight how many of them there are, in proportion to the others
     */
    public record Kind(int bytes, double weight) {}

    /** Messages of letters and digits. */
    public static PayloadSpec text(int bytes) {
        return new PayloadSpec(null, List.of(new Kind(bytes, 1)), 0, 0, 0, false);
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
        if (content != null) {
            return List.of(content.clone());
        }
        return kinds.size() == 1
                ? ofSize(kinds.get(0).bytes())
                : Payloads.mixed(
                        kinds.stream().map(kind -> ofSize(kind.bytes())).toList(),
                        kinds.stream().map(Kind::weight).toList(),
                        seed.part(0));
    }

    private List<byte[]> ofSize(int bytes) {
        return poolSize == 0
                ? List.of(Payloads.text(bytes))
                : Payloads.random(poolSize, bytes, randomBytesRatio, reservedBytes);
    }
}
