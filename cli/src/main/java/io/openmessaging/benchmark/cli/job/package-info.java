/**
 * What the commands that run workloads do: {@link io.openmessaging.benchmark.cli.job.Job} is what was asked for, checked;
 * {@link io.openmessaging.benchmark.cli.job.BrokerStarter} decides which broker is started, {@link
 * io.openmessaging.benchmark.cli.job.RunExecutor} executes one run.
 */
package io.openmessaging.benchmark.cli.job;
