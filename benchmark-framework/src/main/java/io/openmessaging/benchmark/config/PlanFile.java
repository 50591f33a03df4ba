package io.openmessaging.benchmark.config;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.binding.RecordBinder;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlKey;
import io.openmessaging.benchmark.binding.YamlNode;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of a plan file, without the files that it includes and without the workloads and drivers that it names.
 *
 * @param path path as the user named it
 * @param keys content of the file
 */
public record PlanFile(Path path, Keys keys) {

    /** Names that are valid in file names, and in expressions without quotes. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private static final Pattern EXPERIMENT_NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

    /** Reads a plan file. */
    public static PlanFile read(Path path) throws ConfigException {
        return new PlanFile(path, RecordBinder.bind(path, YamlFile.read(path).root(), Keys.class, Set.of()));
    }

    /**
     * The keys of a plan.
     *
     * @param name name of the plan in results
     * @param description a sentence or two; empty by default
     * @param include other plan files, whose systems and experiments come first; none by default
     * @param repetitions number of repetitions of each experiment with each system and case; 1 by default
     * @param cooldown pause between two runs; none by default
     * @param restartBroker true to start a fresh local broker for each run; false by default
     * @param order order of the runs; as written by default
     * @param seed seed of a shuffled order; random by default
     * @param limits limits that override the driver files' key {@code limits}; none by default
     * @param systems a short name for each driver file, which is relative to the plan's folder or to the installation
     * @param experiments the experiments to run
     */
    public record Keys(
            @Default("") String name,
            @Default("") String description,
            @Default("[]") List<String> include,

            @Default("1") @Range(from = "1", to = "1000") int repetitions,

            @Default("0s") @Range(to = "1d") Duration cooldown,
            boolean restartBroker,
            @Default("WRITTEN") RunOrder order,
            @Nullable Long seed,
            @Default("{}") Mapping limits,
            @Default("{}") Map<String, String> systems,
            @Default("[]") List<Experiment> experiments)
            implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(
                    NAME.matcher(name).matches(), "name", "must be letters, digits, '.', '_' and '-' only", name);
            problems.require(
                    seed == null || order == RunOrder.SHUFFLED,
                    "seed",
                    "must be absent without order: shuffled, since it has no effect",
                    seed);
            for (String system : systems.keySet()) {
                problems.require(
                        NAME.matcher(system).matches(),
                        "systems." + system,
                        "the name of a system must be letters, digits, '.', '_' and '-' only",
                        null);
            }
        }
    }

    /**
     * An experiment: a workload, run with several systems and in several cases.
     *
     * @param name of the experiment
     * @param source place in a study that it comes from; empty by default
     * @param workload the workload file, relative to the plan's folder or to the installation
     * @param systems short names of systems; all systems of the plan by default
     * @param cases sets of workload keys, each with a name
     * @param parameters workload keys with the values to combine; instead of {@code cases}
     * @param set workload keys for all cases; none by default
     * @param repetitions replaces the plan's value
     * @param cooldown replaces the plan's value
     * @param restartBroker replaces the plan's value
     */
    public record Experiment(
            @Default("") String name,
            @Default("") String source,
            @Default("") String workload,
            @Nullable List<String> systems,
            @Default("[]") List<Mapping> cases,
            @Default("{}") Map<String, List<YamlNode>> parameters,
            @YamlKey("set") @Default("{}") Mapping settings,

            @Range(from = "1", to = "1000") @Nullable Integer repetitions,

            @Range(to = "1d") @Nullable Duration cooldown,
            @Nullable Boolean restartBroker)
            implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(
                    EXPERIMENT_NAME.matcher(name).matches(),
                    "name",
                    "must be lower-case letters, digits and '-' only",
                    name);
            problems.require(!workload.isBlank(), "workload", "must be a workload file", workload);
            checkSystems(problems);
            problems.require(
                    cases.isEmpty() || parameters.isEmpty(),
                    "parameters",
                    "must be absent with cases: use either named sets of keys, or every combination of values",
                    null);
            parameters.forEach((key, values) ->
                    problems.require(!values.isEmpty(), "parameters." + key, "must have at least one value", null));
        }

        private void checkSystems(Problems problems) {
            if (systems == null) {
                return;
            }
            problems.require(!systems.isEmpty(), "systems", "must name at least one system", null);
            Set<String> seen = new HashSet<>();
            for (String system : systems) {
                problems.require(seen.add(system), "systems", "must name each system only once", system);
            }
        }
    }
}
