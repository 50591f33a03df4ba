/** What a driver owes to a run whose broker crashes, as a test: {@link
 * io.openmessaging.benchmark.driver.testkit.recovery.RecoveryContractTest}. */
@NullMarked
package io.openmessaging.benchmark.driver.testkit.recovery;

import org.jspecify.annotations.NullMarked;
