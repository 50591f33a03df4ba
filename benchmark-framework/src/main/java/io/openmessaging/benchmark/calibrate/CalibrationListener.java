package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.result.Calibration;

/** Receives the progress of a calibration, on its thread. */
public interface CalibrationListener {

    /** Reports that the machine was watched; nothing has run yet. */
    void machine(Calibration.MachineState machine);

    /** Reports that a rate was tried. */
    void trial(Calibration.Trial trial);
}
