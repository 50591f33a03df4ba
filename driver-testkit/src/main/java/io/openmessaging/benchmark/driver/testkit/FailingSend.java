package io.openmessaging.benchmark.driver.testkit;

/**
 * How to make the system refuse a message.
 *
 * @param config the configuration under which it does
 * @param payloadBytes the size of the message that it refuses
 */
public record FailingSend<C extends Record>(C config, int payloadBytes) {}
