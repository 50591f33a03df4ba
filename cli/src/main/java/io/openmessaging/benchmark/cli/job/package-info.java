/**
 * Implementation of the commands that run workloads: {@link io.openmessaging.benchmark.cli.job.Job} is a checked
 * request, {@link io.openmessaging.benchmark.cli.job.BrokerStarter} decides which broker is started, {@link
 * io.openmessaging.benchmark.cli.job.RunExecutor} executes one run.
 */
package io.openmessaging.benchmark.cli.job;
