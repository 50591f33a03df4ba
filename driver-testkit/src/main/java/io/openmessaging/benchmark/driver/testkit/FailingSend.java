package io.openmessaging.benchmark.driver.testkit;

/**
 * A message that the system refuses.
 *
 * @param config the configuration under which it is refused
 * @param payloadBytes the size of the refused message, bytes
 */
public record FailingSend<C extends Record>(C config, int payloadBytes) {}
