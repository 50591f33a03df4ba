/**
 * Statistics over the repetitions of a plan: for each cell and metric the mean, the median and the spread over its
 * runs, and the confidence interval of the median.
 *
 * <p>The run is the sample: a value that a run measured a million times is one observation here.
 */
package io.openmessaging.benchmark.summary;
