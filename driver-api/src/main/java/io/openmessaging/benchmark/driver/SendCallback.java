package io.openmessaging.benchmark.driver;

/**
 * Told what became of one message, exactly once, by either method. Called on the client's thread; neither blocks nor
 * throws.
 */
public interface SendCallback {

    /** The system has confirmed the message, to the degree that the driver's configuration asks for. */
    void acknowledged();

    /** The message was refused, timed out or was lost with the connection; it may have arrived all the same. */
    void failed(Throwable cause);
}
