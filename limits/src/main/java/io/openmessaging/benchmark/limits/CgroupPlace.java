package io.openmessaging.benchmark.limits;

import java.nio.file.Path;

/**
 * Where groups can be made.
 *
 * @param version of the hierarchy
 * @param parent the group in which they are made
 * @param home the group that this process is in, to which a process that leaves its limits returns
 */
record CgroupPlace(CgroupVersion version, Path parent, Path home) {}
