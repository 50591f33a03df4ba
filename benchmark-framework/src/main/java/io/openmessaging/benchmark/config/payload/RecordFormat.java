package io.openmessaging.benchmark.config.payload;

/** Where the records of a {@code payloadFile} begin and end. */
public enum RecordFormat {
    /** Each line is a record. It ends with LF or CR LF, which is no part of it. */
    LINES,

    /** Each record follows its length, a number of four bytes, the highest first. */
    LENGTH_PREFIXED,

    /** Each file of a folder is a record. */
    FILES
}
