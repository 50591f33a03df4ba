/**
 * Programs and jars of brokers: found on this machine, or fetched into {@code .brokers} of the project's home folder on
 * first use.
 *
 * <p>The jars of a broker on the JVM come from a {@link io.openmessaging.benchmark.broker.fetch.JarSet}. A broker that
 * is not a Java program has its program from a {@link io.openmessaging.benchmark.broker.fetch.PackageSet}, or from this
 * machine if {@link io.openmessaging.benchmark.program.ProgramPath} finds it and either the user wants that or packages
 * cannot be fetched. The version of a {@link io.openmessaging.benchmark.broker.fetch.NativeProgram} is queried first,
 * which shows whether the program runs on this machine at all.
 */
package io.openmessaging.benchmark.broker.fetch;
