/**
 * Kafka's clients as producers and consumers of the harness: what is on the way of a message. Each owns one client, and a
 * consumer also the one thread that is allowed to use it.
 */
@NullMarked
package io.openmessaging.benchmark.driver.kafka.clients;

import org.jspecify.annotations.NullMarked;
