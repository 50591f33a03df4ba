/**
 * Suites to which tests belong, and time limits of tests. See docs/TESTING.md.
 *
 * <p>A test without an annotation of this package runs in every suite if its class is named {@code …Test}. If it is
 * named {@code …IT}, it runs from the default suite on: such tests need a packaged driver, the distribution or a real
 * broker.
 */
package io.openmessaging.benchmark.suite;
