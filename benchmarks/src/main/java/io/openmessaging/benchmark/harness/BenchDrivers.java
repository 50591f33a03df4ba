package io.openmessaging.benchmark.harness;

import java.util.List;

/** Compares each driver with its vendor's own measurement, on the same local broker, in turn. */
public final class BenchDrivers {

    private BenchDrivers() {}

    /** See {@link Bench#run}. */
    public static void main(String[] args) throws Exception {
        Bench.run(
                "bench-drivers",
                args,
                runs -> List.of(
                        new RabbitMqComparison(runs),
                        new RedisComparison(runs),
                        new PulsarComparison(runs),
                        new ArtemisComparison(runs),
                        new RocketMqComparison(runs),
                        new NatsComparison(runs)));
    }
}
