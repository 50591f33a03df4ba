/**
 * The phases of a run: provision, ready, warm-up, measure, drain, audit.
 *
 * <p>{@link io.openmessaging.benchmark.coordinator.Run} goes through them with a worker; each kind of
 * {@code MeasuredLoad} measures one kind of load. State shared by the phases is in {@code coordinator.session}.
 * Decisions that are mere arithmetic are separate and pure: {@link io.openmessaging.benchmark.search.RateSearch}
 * chooses the rates of a search, {@link io.openmessaging.benchmark.judge.Judge} produces the findings against a
 * result.
 */
package io.openmessaging.benchmark.coordinator;
