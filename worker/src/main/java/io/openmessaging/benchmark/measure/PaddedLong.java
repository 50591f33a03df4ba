package io.openmessaging.benchmark.measure;

/**
 * A long with {@link #PADDING_BYTES} of unused memory on either side.
 *
 * <p>Data that a thread writes with each message must not share a cache line with data of another thread: the line
 * would move back and forth between the cores, which costs as much as a whole message. The garbage collector places
 * objects next to each other in the order in which it finds them, so small objects of two threads do become
 * neighbours, in some runs and not in others. A virtual machine lays out the fields of a superclass before those of
 * its subclasses, so the padding is spread over three classes. 128 bytes are two lines, since processors fetch lines
 * in pairs.
 */
abstract class PaddedLong extends LeadingPadding {

    static final int PADDING_BYTES = 128;

    long value;
}
