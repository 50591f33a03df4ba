/**
 * What a run has found: the model of a result, its findings and its verdict. It knows no file format; the packages below write it
 * down ({@code file}, {@code console}), and compare what was written ({@code compare}).
 */
@NullMarked
package io.openmessaging.benchmark.result;

import org.jspecify.annotations.NullMarked;
