package io.openmessaging.benchmark.broker;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a local broker is to be started.
 *
 * @param nodes how many nodes, at least 1
 * @param heap heap of each JVM node in the notation of {@code -Xmx}, such as {@code 512m}; null for the broker's default
 * @param home the project's home folder: a checkout or an unpacked release; where downloaded jars are kept
 * @param folder a folder for this broker's data and logs, created by the call, removed by {@link RunningBroker#close()}
 * @param firstPort the port of the first node, or 0 for a free one; the other nodes always get free ports
 * @param lifetime whether the broker ends with the process that started it
 * @param progress told in short sentences what takes time, such as a download
 */
public record LocalBrokerOptions(
        int nodes,
        @Nullable String heap,
        Path home,
        Path folder,
        int firstPort,
        Lifetime lifetime,
        Consumer<String> progress) {

    /** When a broker's processes end by themselves. */
    public enum Lifetime {
        /** With the process that started them, even when that one is killed. */
        WITH_STARTER,
        /** When stopped by {@code bin/broker stop}. */
        UNTIL_STOPPED
    }
}
