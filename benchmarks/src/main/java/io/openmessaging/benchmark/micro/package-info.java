/** JMH benchmarks of the parts of the hot path, and of the whole of it. */
@NullMarked
package io.openmessaging.benchmark.micro;

import org.jspecify.annotations.NullMarked;
