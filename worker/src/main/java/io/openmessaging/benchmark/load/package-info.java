/**
 * The load: when each message is sent, what it contains, and the thread that sends it.
 *
 * <p>{@link io.openmessaging.benchmark.load.Schedule} is arithmetic without a clock, {@link
 * io.openmessaging.benchmark.load.Pacer} waits, {@link io.openmessaging.benchmark.load.MessageHeader} writes what the
 * receiving side needs into the payload, and {@link io.openmessaging.benchmark.load.ProducerLoop} ties them together.
 */
package io.openmessaging.benchmark.load;
