/**
 * What the repetitions of a plan say together: for each cell and metric the mean over its runs, how far they are apart,
 * and the interval in which the true mean lies.
 *
 * <p>The run is the sample: what a run measured a million times is one observation here.
 */
package io.openmessaging.benchmark.summary;
