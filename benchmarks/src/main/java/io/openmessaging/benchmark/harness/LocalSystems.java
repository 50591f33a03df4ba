package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Place;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.broker.fetch.JarSet;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Brokers to measure against, and the jars of the vendors' own tools. */
final class LocalSystems {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long MEMORY_BYTES = 4L << 30;

    private LocalSystems() {}

    /** Starts a broker of one node. */
    static RunningBroker start(Path home, String name, Map<String, String> settings)
            throws IOException, InterruptedException, LocalBrokerException {
        LocalBroker broker = ServiceLoader.load(LocalBroker.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
        Path folder = fastFolder(home)
                .resolve("bench-" + name + "-" + ProcessHandle.current().pid());
        return broker.start(new LocalBrokerOptions(1, null, settings, new Place(home, folder), System.err::println));
    }

    /** In memory where there is room: two clients are to be compared, and a disk's moods are larger than what differs. */
    private static Path fastFolder(Path home) throws IOException {
        boolean inMemory =
                Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > MEMORY_BYTES;
        return inMemory ? MEMORY : home.resolve(".brokers/runs");
    }

    /** The class path of a vendor's tool, fetched on first use. */
    static String tool(Path home, String pomResource) throws LocalBrokerException, InterruptedException {
        return JarSet.ofResource(LocalSystems.class, pomResource).fetched(home, System.err::println).stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
