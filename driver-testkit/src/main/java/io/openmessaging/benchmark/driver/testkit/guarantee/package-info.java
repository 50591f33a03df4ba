/** What a driver says that its system promises, held against what the system's processes do. */
@NullMarked
package io.openmessaging.benchmark.driver.testkit.guarantee;

import org.jspecify.annotations.NullMarked;
