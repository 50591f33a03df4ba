package io.openmessaging.benchmark.micro;

import io.openmessaging.benchmark.load.MessageHeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** The cost of writing a message's header, and of reading all of it on the other side. */
public class MessageHeaderBenchmark extends NsPerCall {

    private static final int RUN_TAG = 4711;
    private static final int PRODUCER = 7;
    private static final long NOW_NS = 1_700_000_000_000_000_000L;

    private final byte[] full = new byte[100];
    private final byte[] compact = new byte[MessageHeader.Layout.COMPACT.bytes()];
    private long sequence;

    /** Writes the headers that are read. */
    @Setup
    public void write() {
        writeFull();
        writeCompact();
    }

    /** Writes the full header. */
    @Benchmark
    public byte[] writeFull() {
        long next = sequence++;
        MessageHeader.writeFull(full, RUN_TAG, PRODUCER, next, NOW_NS + next, NOW_NS + next);
        return full;
    }

    /** Writes the header of a small message. */
    @Benchmark
    public byte[] writeCompact() {
        long next = sequence++;
        MessageHeader.writeCompact(compact, PRODUCER, next, NOW_NS + next);
        return compact;
    }

    /** Reads the full header, as the receiver does. */
    @Benchmark
    public void readFull(Blackhole hole) {
        hole.consume(MessageHeader.isOfRun(full, RUN_TAG));
        hole.consume(MessageHeader.producer(full));
        hole.consume(MessageHeader.sequence(full));
        hole.consume(MessageHeader.intendedNs(full));
        hole.consume(MessageHeader.sentNs(full));
    }

    /** Reads the header of a small message, as the receiver completes it. */
    @Benchmark
    public void readCompact(Blackhole hole) {
        hole.consume(MessageHeader.compactProducer(compact));
        hole.consume(MessageHeader.compactSequence(compact, sequence));
        hole.consume(MessageHeader.compactSentNs(compact, NOW_NS + sequence));
    }
}
