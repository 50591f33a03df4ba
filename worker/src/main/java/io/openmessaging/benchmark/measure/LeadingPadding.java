package io.openmessaging.benchmark.measure;

/** The padding in front of a {@link PaddedLong}, explained there. */
@SuppressWarnings({"unused", "MultipleVariableDeclarations"})
abstract class LeadingPadding {
    private long p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15, p16;
}
