/**
 * Connections to Redis: for commands and answers in turn, for commands from one thread and answers on another, and for
 * the commands of the control plane. Knows nothing of messages and modes.
 */
@NullMarked
package io.openmessaging.benchmark.driver.redis.link;

import org.jspecify.annotations.NullMarked;
