/** Tests that assert how long something takes. */
@NullMarked
package io.openmessaging.benchmark.timing;

import org.jspecify.annotations.NullMarked;
