/** What a run is asked for, and what it reports meanwhile: all that those who start and watch runs have to know. */
@NullMarked
package io.openmessaging.benchmark.run;

import org.jspecify.annotations.NullMarked;
