/** The contract of drivers towards brokers that speak TLS or ask for a login. */
@NullMarked
package io.openmessaging.benchmark.driver.testkit.security;

import org.jspecify.annotations.NullMarked;
