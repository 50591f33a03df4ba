package io.openmessaging.benchmark.driver;

/** Defines who may write to a payload array once {@link BenchmarkProducer#send} has returned. */
public enum PayloadOwnership {

    /** The client has copied the bytes: the caller writes the next message into the same array. */
    COPIED_ON_SEND,

    /** The client reads the array later, from another thread: the caller passes a new one for each message. */
    KEPT_AFTER_SEND
}
