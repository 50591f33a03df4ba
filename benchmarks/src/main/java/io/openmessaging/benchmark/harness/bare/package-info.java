/**
 * The yardsticks where a vendor has no tool of its own that can be had: the shortest loops over the vendor's client. They
 * use nothing of the harness and run on the class path of the driver that they are compared with.
 */
@NullMarked
package io.openmessaging.benchmark.harness.bare;

import org.jspecify.annotations.NullMarked;
