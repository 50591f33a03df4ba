/** End-to-end tests: the start scripts of this checkout, run as a user would run them. */
@NullMarked
package io.openmessaging.benchmark.dist;

import org.jspecify.annotations.NullMarked;
