/** What comes with the installation: driver files, workloads and plans, by short names. */
@NullMarked
package io.openmessaging.benchmark.cli.catalog;

import org.jspecify.annotations.NullMarked;
