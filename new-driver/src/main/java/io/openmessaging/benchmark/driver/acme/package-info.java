/**
 * Driver for Acme. {@code AcmeClient} stands in for the client of the system, which replaces it. The other classes show
 * what the framework expects from a driver.
 */
package io.openmessaging.benchmark.driver.acme;
