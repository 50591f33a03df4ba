package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.RunningBroker;
import io.openmessaging.benchmark.limits.Confinement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A broker whose nodes are shell scripts. A script runs in its node's folder and is ready once this contains a file
 * {@code ready}; its first argument is that folder, so that the process can be found by it.
 */
public final class NativeTestBroker extends LocalBroker {

    /** A script that becomes ready, then writes to its folder, as a broker under load does. */
    public static final String SERVE = "touch ready; while :; do touch data-$((i += 1)); sleep 0.01; done";

    /** A script that never becomes ready. */
    public static final String HANG = "while :; do sleep 0.1; done";

    private final String script;
    private final Duration endLimit;

    /** Creates a broker whose nodes all run the same script. */
    public NativeTestBroker(String script, Duration endLimit) {
        super("native", Confinement.ProcessType.NATIVE, 4712);
        this.script = script;
        this.endLimit = endLimit;
    }

    @Override
    public Offer offer() {
        return new Offer("a broker for tests", Optional.empty());
    }

    @Override
    public RunningBroker start(LocalBrokerOptions options) throws LocalBrokerException, InterruptedException {
        try (BrokerLaunch launch = BrokerLaunch.begin(options)) {
            List<Path> readyFiles = new ArrayList<>();
            for (int i = 1; i <= options.nodes(); i++) {
                Path folder = launch.folder("native-" + i);
                launch.start(new NativeNode(
                        "native-" + i,
                        List.of("/bin/sh", "-c", script, "native-script", folder + "/"),
                        Map.of("GREETING", "good morning"),
                        Set.of("PATH_TO_NOWHERE", "HOME"),
                        endLimit));
                readyFiles.add(folder.resolve("ready"));
            }
            launch.await(
                    "the native nodes",
                    Duration.ofSeconds(60),
                    () -> readyFiles.stream().allMatch(Files::exists));
            return launch.complete("Native Broker", "1.0", List.of(), Map.of(), Map.of());
        }
    }
}
