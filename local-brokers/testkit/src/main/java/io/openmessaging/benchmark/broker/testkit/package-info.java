/**
 * What every local broker has to keep, as tests: {@link
 * io.openmessaging.benchmark.broker.testkit.LocalBrokerContractTest}, and what it is written with.
 */
@NullMarked
package io.openmessaging.benchmark.broker.testkit;

import org.jspecify.annotations.NullMarked;
