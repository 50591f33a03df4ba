/** What a person reads of a run in a terminal, during it and at its end. */
@NullMarked
package io.openmessaging.benchmark.result.console;

import org.jspecify.annotations.NullMarked;
