/**
 * The phases of a run: provision, ready, warm-up, measure, drain, audit.
 *
 * <p>{@link io.openmessaging.benchmark.coordinator.Run} goes through them with a worker; load is measured by one of the kinds
 * of {@code Measurement}. What the phases share is in {@code coordinator.session}. What can be decided by arithmetic is apart
 * and pure: {@link io.openmessaging.benchmark.search.RateSearch} chooses the rates of a search, {@link
 * io.openmessaging.benchmark.judge.Judge} finds what speaks against a result.
 */
package io.openmessaging.benchmark.coordinator;
