/** Redis as a local broker. */
@NullMarked
package io.openmessaging.benchmark.broker.redis;

import org.jspecify.annotations.NullMarked;
