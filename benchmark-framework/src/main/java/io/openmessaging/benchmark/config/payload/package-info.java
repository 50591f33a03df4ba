/**
 * Payloads from the user's files: a single payload, or many records.
 *
 * <p>This package is a leaf: it does not know workloads.
 */
package io.openmessaging.benchmark.config.payload;
