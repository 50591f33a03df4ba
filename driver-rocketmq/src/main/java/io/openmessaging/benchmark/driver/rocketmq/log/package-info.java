/** The clients' own logs, whose errors go to the harness' log. */
@NullMarked
package io.openmessaging.benchmark.driver.rocketmq.log;

import org.jspecify.annotations.NullMarked;
