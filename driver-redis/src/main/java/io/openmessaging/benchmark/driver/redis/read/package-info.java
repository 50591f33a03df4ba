/** How a consumer's connections are read, whatever they bring: what comes is a source's affair. */
@NullMarked
package io.openmessaging.benchmark.driver.redis.read;

import org.jspecify.annotations.NullMarked;
