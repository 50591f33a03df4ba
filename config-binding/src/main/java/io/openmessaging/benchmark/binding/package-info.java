/**
 * YAML to records: {@link io.openmessaging.benchmark.binding.YamlFile} reads a file strictly into a tree, {@link
 * io.openmessaging.benchmark.binding.RecordBinder} binds the tree to a record and reports everything that is wrong with
 * it at once. The records hold the rules: annotations of a component say its key's default ({@link
 * io.openmessaging.benchmark.driver.Default}), range ({@link io.openmessaging.benchmark.driver.Range}) and what excludes
 * it ({@link io.openmessaging.benchmark.binding.AbsentWith}); a record that implements {@link
 * io.openmessaging.benchmark.driver.Checked} is asked what else is wrong with its values.
 */
package io.openmessaging.benchmark.binding;
