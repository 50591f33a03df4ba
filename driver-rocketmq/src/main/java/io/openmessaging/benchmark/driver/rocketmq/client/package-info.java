/** What both of RocketMQ's clients need around them: calls that end, messages that are answered once, shutdowns that return. */
@NullMarked
package io.openmessaging.benchmark.driver.rocketmq.client;

import org.jspecify.annotations.NullMarked;
