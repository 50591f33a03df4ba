package io.openmessaging.benchmark.broker.kafka;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.Map;

/** A program that starts three nodes, prints their process ids in a line, and stays. */
public final class KafkaStarter {

    private KafkaStarter() {}

    /** Arguments: the home folder, and the broker's folder. */
    public static void main(String[] arguments) throws Exception {
        LocalBrokerOptions options = new LocalBrokerOptions(
                3,
                "256m",
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                0,
                Lifetime.WITH_STARTER,
                text -> {},
                Map.of());
        RunningBroker running = new KafkaLocalBroker().start(options);
        System.out.println(String.join(
                " ",
                running.nodes().stream().map(node -> Long.toString(node.pid())).toList()));
        Thread.sleep(Long.MAX_VALUE);
    }
}
