package io.openmessaging.benchmark.calibrate;

/** Thrown if there is no calibration. The message is a sentence for the user. */
public final class CalibrationException extends Exception {

    private static final long serialVersionUID = 1L;

    CalibrationException(String message) {
        super(message);
    }
}
