package io.openmessaging.benchmark.driver;

import java.time.Duration;

/**
 * What a run gives to the driver it uses.
 *
 * @param runId unique to the run, of letters and digits; to be made part of the names of what the driver creates
 *     beyond topics (client ids, transactional ids, namespaces)
 * @param timeout the limit for each control call
 * @param events where the driver reports what goes wrong outside of a call
 */
public record DriverContext(String runId, Duration timeout, DriverEvents events) {}
