package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.driver.Address;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A workers file: the addresses of the workers of a distributed run.
 *
 * @param workers addresses such as {@code https://10.0.0.1:8080}, at least one
 */
public record WorkersFile(@Default("[]") List<String> workers) implements Checked {

    /** The form of a worker's address. */
    public static final Address.Form WORKER = new Address.Form(
            "an address such as https://10.0.0.1:8080", List.of("http", "https"), Address.Port.REQUIRED, false, false);

    /** Reads and checks a workers file. */
    public static WorkersFile read(Path path) throws ConfigException {
        return RecordBinder.bind(path, YamlFile.read(path).root(), WorkersFile.class, Set.of());
    }

    @Override
    public void check(Problems problems) {
        problems.require(!workers.isEmpty(), "workers", "must have at least one address", null);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < workers.size(); i++) {
            String key = "workers[" + i + "]";
            String worker = workers.get(i);
            problems.address(key, worker, WORKER);
            problems.require(seen.add(worker), key, "must occur only once", worker);
        }
    }
}
