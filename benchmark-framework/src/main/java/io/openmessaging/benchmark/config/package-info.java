/**
 * What a user writes: workload, driver and workers files.
 *
 * <p>{@link io.openmessaging.benchmark.binding.YamlFile} reads a file strictly into a tree, {@link
 * io.openmessaging.benchmark.binding.RecordBinder} binds the tree to a record and reports everything that is wrong with
 * it at once. The records hold the rules: one that implements {@link io.openmessaging.benchmark.driver.Checked} is asked
 * what is wrong with its values.
 *
 * <p>A leaf: nothing here knows how a run works.
 */
@NullMarked
package io.openmessaging.benchmark.config;

import org.jspecify.annotations.NullMarked;
