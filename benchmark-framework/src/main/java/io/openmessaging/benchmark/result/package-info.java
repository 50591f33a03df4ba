/**
 * What a run has found, and how it is written down: the result's model, its verdict, and the files and texts made of it.
 *
 * <p>This is the only place that knows OMB's flat field names and its units. Renderers are functions from a result to
 * text.
 */
@NullMarked
package io.openmessaging.benchmark.result;

import org.jspecify.annotations.NullMarked;
