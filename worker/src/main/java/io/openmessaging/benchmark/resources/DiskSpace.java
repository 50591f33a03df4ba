package io.openmessaging.benchmark.resources;

/**
 * A disk that is nearly full.
 *
 * @param folder that is on it
 * @param freeBytes what is left
 * @param leastBytes what should be left
 */
public record DiskSpace(String folder, long freeBytes, long leastBytes) {}
