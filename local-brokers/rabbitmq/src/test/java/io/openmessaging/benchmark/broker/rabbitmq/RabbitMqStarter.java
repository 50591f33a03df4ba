package io.openmessaging.benchmark.broker.rabbitmq;

import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Lifetime;
import io.openmessaging.benchmark.broker.RunningBroker;
import java.nio.file.Path;
import java.util.Map;

/** A program that starts RabbitMQ, prints the process ids of its nodes in a line, and stays. */
public final class RabbitMqStarter {

    private RabbitMqStarter() {}

    /** Arguments: the home folder, the broker's folder, its lifetime, and how many nodes. */
    public static void main(String[] arguments) throws Exception {
        LocalBrokerOptions options = new LocalBrokerOptions(
                Integer.parseInt(arguments[3]),
                null,
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                0,
                Lifetime.valueOf(arguments[2]),
                System.err::println,
                Map.of());
        RunningBroker running = new RabbitMqLocalBroker().start(options);
        System.out.println(String.join(
                " ",
                running.nodes().stream().map(node -> Long.toString(node.pid())).toList()));
        Thread.sleep(Long.MAX_VALUE);
    }
}
