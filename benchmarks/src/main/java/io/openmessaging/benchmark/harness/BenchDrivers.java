package io.openmessaging.benchmark.harness;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares each driver with what its vendor measures with, on the same local broker, in turn, and prints the ratios
 * beside the bars that they have to keep.
 */
public final class BenchDrivers {

    private static final int REPETITIONS = 5;

    private BenchDrivers() {}

    /**
     * Measures and prints.
     *
     * @param args {@code --short} to see that everything runs: one repetition, not judged; names of systems to leave out
     *     the others
     */
    public static void main(String[] args) throws Exception {
        Path home = Path.of(System.getProperty("benchmark.home")).toAbsolutePath();
        List<String> names = new ArrayList<>(List.of(args));
        boolean shortRuns = names.remove("--short");
        List<Bar> bars = new ArrayList<>();
        int repetitions = shortRuns ? 1 : REPETITIONS;
        try (Commands commands = Commands.begin(home)) {
            Runs runs = new Runs(commands, shortRuns);
            for (SystemComparison comparison : chosen(comparisons(runs), names)) {
                measure(home, comparison, repetitions);
                bars.addAll(comparison.bars());
            }
        }
        System.out.println(Bar.table(bars, repetitions));
        System.exit(shortRuns || bars.stream().allMatch(Bar::isMet) ? 0 : 1);
    }

    private static List<SystemComparison> comparisons(Runs runs) {
        return List.of(
                new RabbitMqComparison(runs),
                new RedisComparison(runs),
                new PulsarComparison(runs),
                new ArtemisComparison(runs),
                new RocketMqComparison(runs));
    }

    private static List<SystemComparison> chosen(List<SystemComparison> all, List<String> names) {
        List<String> known = all.stream().map(SystemComparison::system).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                System.err.println("bench-drivers: options are --short and names of " + known + ", got '" + name + "'");
                System.exit(2);
            }
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(each -> names.contains(each.system())).toList();
    }

    private static void measure(Path home, SystemComparison comparison, int repetitions)
            throws IOException, InterruptedException, LocalBrokerException {
        try (RunningBroker broker = LocalSystems.start(home, comparison.system(), comparison.brokerSettings())) {
            for (int i = 1; i <= repetitions; i++) {
                System.err.printf("%s, repetition %d of %d%n", comparison.system(), i, repetitions);
                comparison.repeat(broker);
            }
        }
        for (int i = 1; i <= repetitions; i++) {
            comparison.repeatWithoutBroker();
        }
    }
}
