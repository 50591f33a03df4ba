package io.openmessaging.benchmark.calibrate;

import io.openmessaging.benchmark.result.Calibration;

/** Told of a calibration's progress, on its thread. */
public interface CalibrationListener {

    /** The machine was watched, nothing has run yet. */
    void machine(Calibration.MachineState machine);

    /** A rate was tried. */
    void trial(Calibration.Trial trial);
}
