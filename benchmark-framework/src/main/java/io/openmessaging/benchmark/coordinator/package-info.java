/**
 * The phases of a run: provision, ready, warm-up, measure, drain, audit.
 *
 * <p>{@link io.openmessaging.benchmark.coordinator.Run} goes through them with a worker. What can be decided by
 * arithmetic is apart from it and pure: {@link io.openmessaging.benchmark.coordinator.RateSearch} chooses the rates of a
 * search, {@link io.openmessaging.benchmark.judge.Judge} finds what speaks against a result.
 */
@NullMarked
package io.openmessaging.benchmark.coordinator;

import org.jspecify.annotations.NullMarked;
