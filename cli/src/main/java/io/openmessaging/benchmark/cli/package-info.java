/**
 * The command line: arguments, console, exit codes. The only place that ends the process.
 *
 * <p>{@link io.openmessaging.benchmark.cli.Main} starts, {@link io.openmessaging.benchmark.cli.Subcommands} has the
 * commands. Those that run workloads share {@link io.openmessaging.benchmark.cli.RunOptions}; what they then do is in
 * {@code cli.job}.
 */
package io.openmessaging.benchmark.cli;
