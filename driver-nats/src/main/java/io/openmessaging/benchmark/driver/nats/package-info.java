/**
 * NATS, through {@code jnats}: streams of JetStream, or subjects.
 *
 * <p>{@link io.openmessaging.benchmark.driver.nats.NatsBenchmarkDriver} is the entry point. Producers and consumers
 * share connections, each a {@code NatsLink} that tells them when it is lost. A producer keeps its unanswered messages
 * in a {@code SendWindow}: a {@code StreamProducer} gets an answer for each from the stream, a {@code SubjectProducer}
 * learns from a {@code PONG} that the server has them all. A {@code NatsConsumer} is a thread that reads a {@code
 * Feed}: messages that it requests itself ({@code PullFeed}), or that the server sends.
 */
package io.openmessaging.benchmark.driver.nats;
