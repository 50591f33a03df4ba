/**
 * Payloads that are in the user's files: one, or many records.
 *
 * <p>A leaf: nothing here knows a workload.
 */
package io.openmessaging.benchmark.config.payload;
