package io.openmessaging.benchmark.driver.kafka;

import io.openmessaging.benchmark.suite.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A member of a consumer group in a process of its own, which is killed: it never leaves the group. */
final class DyingConsumer implements AutoCloseable {

    private static final String JOINED = "joined";

    private final Process process;

    private DyingConsumer(Process process) {
        this.process = process;
    }

    /** Returns once the process is a member of the group. */
    static DyingConsumer join(List<String> brokers, String group, String topic, String protocol) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DyingConsumer.class.getName(),
                String.join(",", brokers),
                group,
                topic,
                protocol);
        DyingConsumer consumer = new DyingConsumer(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
        BufferedReader output =
                new BufferedReader(new InputStreamReader(consumer.process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = output.readLine(); !JOINED.equals(line); line = output.readLine()) {
            if (line == null) {
                consumer.close();
                throw new IOException("the consumer has ended without joining");
            }
        }
        return consumer;
    }

    /** Joins a group and stays in it until the process is killed. */
    public static void main(String[] args) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                args[0],
                "group.id",
                args[1],
                "group.protocol",
                args[3],
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class));
        if (args[3].equals("classic")) {
            // Longer than any test. With the other protocol, the broker sets it.
            settings.put("session.timeout.ms", "1800000");
        }
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        consumer.subscribe(List.of(args[2]));
        while (consumer.assignment().isEmpty()) {
            consumer.poll(Duration.ofMillis(100));
        }
        System.out.println(JOINED);
        while (true) {
            consumer.poll(Patience.LIMIT);
        }
    }

    /** Kills the process; returns when it has ended. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
