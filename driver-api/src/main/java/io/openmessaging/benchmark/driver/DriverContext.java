package io.openmessaging.benchmark.driver;

import java.time.Duration;

/**
 * Values that a driver receives from the run that uses it.
 *
 * @param runId unique to the run, of letters and digits; part of the names of whatever the driver creates besides
 *     topics (client ids, transactional ids, namespaces)
 * @param timeout the limit for each control call
 * @param events receives errors that occur outside of a call
 */
public record DriverContext(String runId, Duration timeout, DriverEvents events) {}
