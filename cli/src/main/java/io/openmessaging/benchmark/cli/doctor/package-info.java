/** Whether a machine is fit to measure on. */
@NullMarked
package io.openmessaging.benchmark.cli.doctor;

import org.jspecify.annotations.NullMarked;
