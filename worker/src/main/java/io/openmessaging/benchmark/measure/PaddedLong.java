package io.openmessaging.benchmark.measure;

/**
 * A long with {@link #PADDING_BYTES} of memory on either side that nobody writes.
 *
 * <p>What a thread writes with each message must not lie on a cache line that another thread uses: the line would go to
 * and fro between the cores, at the price of a whole message. The garbage collector puts objects next to each other as
 * it finds them, so small objects of two threads do become neighbours, in some runs and not in others. A virtual machine
 * lays out the fields of a superclass before those of its subclasses: this is why the padding is spread over three
 * classes. 128 bytes are two lines, since processors fetch them in pairs.
 */
abstract class PaddedLong extends LeadingPadding {

    static final int PADDING_BYTES = 128;

    long value;
}
