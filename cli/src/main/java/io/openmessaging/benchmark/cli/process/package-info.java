/**
 * What every command has: exit codes, errors that are the user's, the log file, signals, and where the program is
 * installed.
 */
@NullMarked
package io.openmessaging.benchmark.cli.process;

import org.jspecify.annotations.NullMarked;
