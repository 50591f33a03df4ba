/** Whether the system still has what consumers have not got: topics are read again, from the beginning. */
@NullMarked
package io.openmessaging.benchmark.coordinator.fresh;

import org.jspecify.annotations.NullMarked;
