package io.openmessaging.benchmark.cli.catalog;

import java.nio.file.Path;

/**
 * A file that comes with the installation.
 *
 * @param name by which it can be given on the command line
 * @param path where it is
 * @param about what its author says of it, in a line; empty if nothing
 */
public record Shipped(String name, Path path, String about) {}
