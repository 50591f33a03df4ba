/**
 * Payloads that are in the user's files: one, or many records.
 *
 * <p>A leaf: nothing here knows a workload.
 */
@NullMarked
package io.openmessaging.benchmark.config.payload;

import org.jspecify.annotations.NullMarked;
