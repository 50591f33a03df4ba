package io.openmessaging.benchmark.driver;

/**
 * Receives the outcome of one message: exactly one of its methods is called, once. Called on the client's thread;
 * neither method blocks or throws.
 */
public interface SendCallback {

    /** The system has confirmed the message, to the degree that the driver's configuration requires. */
    void acknowledged();

    /** The message was refused, timed out or was lost with the connection; it may have arrived all the same. */
    void failed(Throwable cause);
}
