package io.openmessaging.benchmark.cli.catalog;

import java.nio.file.Path;

/**
 * A file that comes with the installation.
 *
 * @param name short name on the command line
 * @param path where it is
 * @param about its description in one line; empty if it has none
 */
public record Shipped(String name, Path path, String about) {}
