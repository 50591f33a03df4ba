/**
 * The programs and jars of brokers: found on this machine, or fetched into {@code .brokers} of the project's home folder
 * on first use.
 *
 * <p>A broker on the JVM has its jars from a {@link io.openmessaging.benchmark.broker.fetch.JarSet}. One that is no Java
 * program has its program from this machine if {@link io.openmessaging.benchmark.program.ProgramPath} finds it, else
 * from a {@link io.openmessaging.benchmark.broker.fetch.PackageSet}. A {@link
 * io.openmessaging.benchmark.broker.fetch.NativeProgram} is asked for its version first, which shows whether it runs on
 * this machine at all.
 */
package io.openmessaging.benchmark.broker.fetch;
