/**
 * Which suite a test belongs to, and how long a test may wait. See docs/TESTING.md.
 *
 * <p>A test without an annotation of this package runs in every suite if its class is named {@code …Test}, and from the
 * default suite on if it is named {@code …IT}: those need a packaged driver, the distribution or a real broker.
 */
package io.openmessaging.benchmark.suite;
