package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.testkit.PackagedDriver;
import io.openmessaging.benchmark.suite.Patience;
import java.util.List;
import java.util.Map;

/** A program that loads the driver from its folder, as the harness does, sends a message and receives it. */
public final class FolderUser {

    /** Large enough for the message to be compressed. */
    private static final int PAYLOAD_BYTES = 10_000;

    private FolderUser() {}

    /** Arguments: the protocol, the name server, the proxy. */
    public static void main(String[] arguments) throws Exception {
        // The gRPC client looks in the context class loader for its logger, and reports on the console if there is
        // none.
        PackagedDriver.load(RocketMQBenchmarkDriver.class)
                .calledAsByTheHarness()
                .carriesMessages(
                        // Closing a gRPC consumer takes as long as the proxy holds the consumer's last request.
                        Map.of(
                                "protocol",
                                arguments[0],
                                "awaitDuration",
                                "500ms",
                                "sendTimeout",
                                Patience.LIMIT.toSeconds() + "s"),
                        List.of(arguments[1]),
                        Map.of("grpc", List.of(arguments[2])),
                        PAYLOAD_BYTES);
        System.out.println("received");
        System.exit(0);
    }
}
