/**
 * Binding of YAML to records: {@link io.openmessaging.benchmark.binding.YamlFile} reads a file strictly into a tree,
 * {@link io.openmessaging.benchmark.binding.RecordBinder} binds the tree to a record and reports all problems at once.
 * The records contain the rules: annotations of a component define its key's default
 * ({@link io.openmessaging.benchmark.driver.Default}), its range ({@link io.openmessaging.benchmark.driver.Range}) and
 * the keys that exclude it ({@link io.openmessaging.benchmark.binding.AbsentWith}); a record that implements
 * {@link io.openmessaging.benchmark.driver.Checked} reports further problems of its values.
 */
package io.openmessaging.benchmark.binding;
