package io.openmessaging.benchmark.resources;

/**
 * A disk that is nearly full.
 *
 * @param folder a folder on the disk
 * @param freeBytes free space, bytes
 * @param leastBytes free space that the disk should have, bytes
 */
public record DiskSpace(String folder, long freeBytes, long leastBytes) {}
