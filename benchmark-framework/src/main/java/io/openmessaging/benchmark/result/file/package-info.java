/** Writes what is known of a run: the JSON file with OMB's fields, the interval log, the calibration's file. */
@NullMarked
package io.openmessaging.benchmark.result.file;

import org.jspecify.annotations.NullMarked;
