/**
 * The command line: arguments, console, exit codes. The only place that ends the process.
 *
 * <p>{@link io.openmessaging.benchmark.cli.Main} is the entry point, {@link io.openmessaging.benchmark.cli.Subcommands}
 * lists the commands. Commands that run workloads share {@link io.openmessaging.benchmark.cli.RunOptions}; their
 * implementation is in {@code cli.job}.
 */
package io.openmessaging.benchmark.cli;
