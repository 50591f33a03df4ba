package io.openmessaging.benchmark.config.payload;

/** The format that separates the records of a {@code payloadFile}. */
public enum RecordFormat {
    /** Each line is a record, without the LF or CR LF at its end. */
    LINES,

    /** Each record follows its length, a four-byte big-endian number. */
    LENGTH_PREFIXED,

    /** Each file of a folder is a record. */
    FILES
}
