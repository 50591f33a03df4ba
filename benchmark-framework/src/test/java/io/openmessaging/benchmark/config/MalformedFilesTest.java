package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.config.driver.DriverFile;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every message to a user who made a mistake in a file, word for word. */
class MalformedFilesTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource({"brokenYaml", "brokenValues", "brokenRules", "brokenDrivers", "brokenWorkers"})
    void saysWhatIsWrong(Case broken) throws IOException {
        Path file = folder.resolve("bad.yaml");
        Files.writeString(file, broken.yaml);
        String expected =
                broken.messages.stream().map(message -> file + ": " + message).collect(Collectors.joining("\n"));

        ConfigException refusal = catchThrowableOfType(ConfigException.class, () -> broken.kind.read(file, folder));

        assertThat(refusal).as("the file is refused").isNotNull().hasMessage(expected);
        assertThat(refusal.problems()).hasSize(broken.messages.size());
        assertThat(refusal.file()).isEqualTo(file);
    }

    private interface Kind {
        Object read(Path file, Path home) throws ConfigException;
    }

    private record Case(String what, Kind kind, String yaml, List<String> messages) {

        @Override
        public String toString() {
            return what;
        }
    }

    /** Example of a driver's own record. */
    public record ExampleDriver(
            short replicationFactor,
            @Nullable String topicConfig,
            @Nullable Retry retry) implements Checked {

        public record Retry(int attempts, @Nullable Duration pause) implements Checked {
            @Override
            public void check(Problems problems) {
                problems.require(attempts >= 1, "attempts", "must be at least 1", attempts);
            }
        }

        @Override
        public void check(Problems problems) {
            problems.require(replicationFactor >= 1, "replicationFactor", "must be at least 1", replicationFactor);
        }
    }

    private static Case workload(String what, String yaml, String... messages) {
        return new Case(what, WorkloadFile::read, yaml, List.of(messages));
    }

    private static Case driver(String what, String yaml, String... messages) {
        return new Case(
                what,
                (file, home) -> DriverFile.read(file).driver().bind(ExampleDriver.class),
                yaml,
                List.of(messages));
    }

    private static Case workers(String what, String yaml, String... messages) {
        return new Case(what, (file, home) -> WorkersFile.read(file), yaml, List.of(messages));
    }

    private static final String GOOD_WORKLOAD = """
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 1
            producerRate: 1000
            testDurationMinutes: 1
            """;

    /** The good workload with these lines added; they replace lines with the same keys. */
    private static String with(String... lines) {
        List<String> keys = Arrays.stream(lines)
                .map(line -> line.substring(0, line.indexOf(':') + 1))
                .toList();
        return Stream.concat(
                        GOOD_WORKLOAD.lines().filter(line -> keys.stream().noneMatch(line::startsWith)),
                        Arrays.stream(lines))
                .collect(Collectors.joining("\n"));
    }

    private static String without(String key) {
        return GOOD_WORKLOAD.lines().filter(line -> !line.startsWith(key + ":")).collect(Collectors.joining("\n"));
    }

    private static final String GOOD_DRIVER = """
            name: Example
            driverClass: com.example.ExampleDriver
            replicationFactor: 1
            """;

    static Stream<Case> brokenYaml() {
        return Stream.of(
                workload("empty", "", "is empty, must have keys and values"),
                workload("only a comment", "# later\n", "is empty, must have keys and values"),
                workload("only a null", "null\n", "is empty, must have keys and values"),
                workload("a list", "- topics: 1\n", "must have keys and values at the top level, got a list"),
                workload("a number", "42\n", "must have keys and values at the top level, got 42"),
                workload("a text", "topics 1\n", "must have keys and values at the top level, got 'topics 1'"),
                workload(
                        "two documents",
                        "topics: 1\n---\ntopics: 2\n",
                        "must be a single YAML document, without '---' between two"),
                workload(
                        "a tab",
                        "topics: 1\n\tmessageSize: 1\n",
                        "is not valid YAML, line 2, column 1: found character '\\t(TAB)' that cannot start any token."
                                + " (Do not use \\t(TAB) for indentation)"),
                workload(
                        "an open bracket",
                        "topics: [1, 2\nmessageSize: 1\n",
                        "is not valid YAML, line 2, column 12: expected ',' or ']', but got :"),
                workload(
                        "an open quote",
                        "name: 'one\ntopics: 1\n",
                        "is not valid YAML, line 3, column 1: found unexpected end of stream"),
                workload(
                        "an indentation too many",
                        "topics: 1\n messageSize: 1\n",
                        "is not valid YAML, line 2, column 13: mapping values are not allowed here"),
                workload(
                        "no space behind a colon",
                        "topics:1\nmessageSize: 1\n",
                        "must have keys and values at the top level, got 'topics:1 messageSize'"),
                workload(
                        "an unknown escape",
                        "name: \"a\\q\"\n",
                        "is not valid YAML, line 1, column 10: found unknown escape character q(113)"),
                workload(
                        "a control character",
                        "name: a\u0000b\n",
                        "is not valid YAML: special characters are not allowed"),
                workload(
                        "a list as a key",
                        "? [1, 2]\n: 3\n",
                        "is not valid YAML, line 1, column 3: a key must be a single value"),
                workload(
                        "a key twice",
                        with("topics: 1") + "\ntopics: 2\n",
                        "topics: must occur only once, is repeated in line 9"),
                workload(
                        "two keys twice, one of them below another",
                        "topics: 1\nlocal: {a: 1, a: 2}\ntopics: 3\n",
                        "local.a: must occur only once, is repeated in line 2",
                        "topics: must occur only once, is repeated in line 3"),
                workload(
                        "an alias",
                        with("topics: &one 1", "partitionsPerTopic: *one"),
                        "partitionsPerTopic: must be a plain value, aliases are not supported, got '*one'"),
                workload(
                        "nested too deep",
                        "topics: " + "[".repeat(40) + "]".repeat(40),
                        "must be nested at most 32 levels deep"));
    }

    static Stream<Case> brokenValues() {
        return Stream.of(
                workload(
                        "a misspelt key",
                        with("mesageSize: 1024"),
                        "mesageSize: unknown key, did you mean 'messageSize'?"),
                workload(
                        "a misspelt key in place of a required one",
                        without("messageSize") + "\nmessage_size: 1024",
                        "message_size: unknown key, did you mean 'messageSize'?"),
                workload("a key that is like no other", with("color: blue"), "color: unknown key"),
                workload("an empty key", with("'': 1"), "'': unknown key"),
                workload("a merge key", with("<<: {topics: 1}"), "<<: unknown key"),
                workload("a word for a number", with("topics: many"), "topics: must be a whole number, got 'many'"),
                workload("a fraction", with("messageSize: 100.5"), "messageSize: must be a whole number, got 100.5"),
                workload("a unit", with("messageSize: 1KB"), "messageSize: must be a whole number, got '1KB'"),
                workload(
                        "a hexadecimal number",
                        with("messageSize: 0x400"),
                        "messageSize: must be a whole number, got '0x400'"),
                workload(
                        "a leading zero", with("messageSize: 0100"), "messageSize: must be a whole number, got '0100'"),
                workload("a decimal comma", with("topics: 1,5"), "topics: must be a whole number, got '1,5'"),
                workload("a truth for a number", with("topics: true"), "topics: must be a whole number, got true"),
                workload("a list for a number", with("topics: [1]"), "topics: must be a whole number, got a list"),
                workload(
                        "a mapping for a number",
                        with("topics: {count: 1}"),
                        "topics: must be a whole number, got a mapping"),
                workload(
                        "too large for an int",
                        with("topics: 3000000000"),
                        "topics: must be a whole number from -2147483648 to 2147483647, got 3000000000"),
                workload(
                        "too large for a long",
                        with("messageCount: 10000000000000000000"),
                        "messageCount: must be a whole number from -9223372036854775808 to 9223372036854775807,"
                                + " got 10000000000000000000"),
                workload(
                        "a number for a truth",
                        with("useRandomizedPayloads: 1"),
                        "useRandomizedPayloads: must be true or false, got 1"),
                workload(
                        "yes for true",
                        with("useRandomizedPayloads: yes"),
                        "useRandomizedPayloads: must be true or false, got 'yes'"),
                workload(
                        "a percentage", with("randomBytesRatio: 50%"), "randomBytesRatio: must be a number, got '50%'"),
                workload(
                        "not a number",
                        with("backlogDrainRatio: .nan"),
                        "backlogDrainRatio: must be a number, got '.nan'"),
                workload(
                        "an unknown constant",
                        with("keyDistributor: RANDOM"),
                        "keyDistributor: must be one of NO_KEY, KEY_ROUND_ROBIN, RANDOM_NANO, ZIPF, got 'RANDOM'"),
                workload("a list for a text", with("name: [a, b]"), "name: must be text, got a list"),
                workload(
                        "a duration without a unit",
                        without("testDurationMinutes") + "\ntestDuration: 30",
                        "testDuration: must be a duration such as 500ms, 30s, 5m or 1h30m, got 30"),
                workload(
                        "a duration with an unknown unit",
                        without("testDurationMinutes") + "\ntestDuration: 30sec",
                        "testDuration: must be a duration such as 500ms, 30s, 5m or 1h30m, got '30sec'"),
                workload(
                        "a negative duration",
                        with("warmupDuration: -5s"),
                        "warmupDuration: must be a duration such as 500ms, 30s, 5m or 1h30m, got '-5s'"),
                workload(
                        "a negative rate",
                        with("producerRate: -1"),
                        "producerRate: must be messages a second from 0.001 to 1000000000, bytes such as 10 MB/s,"
                                + " 0 (find the highest sustainable rate) or unlimited, got -1"),
                workload(
                        "a word for a rate",
                        with("producerRate: fast"),
                        "producerRate: must be messages a second from 0.001 to 1000000000, bytes such as 10 MB/s,"
                                + " 0 (find the highest sustainable rate) or unlimited, got 'fast'"),
                workload(
                        "a list for a rate",
                        with("producerRate: [1000]"),
                        "producerRate: must be a single value, got a list"),
                workload(
                        "a placeholder",
                        with("testDurationMinutes: ${minutes:-15}"),
                        "testDurationMinutes: must be a whole number, got '${minutes:-15}'"),
                workload(
                        "a long text, which is cut",
                        with("topics: " + "x".repeat(100)),
                        "topics: must be a whole number, got '" + "x".repeat(60) + "…'"),
                workload(
                        "several lines, shown in one",
                        with("topics: |\n  1\n  2"),
                        "topics: must be a whole number, got '1\\n2'"));
    }

    static Stream<Case> brokenRules() {
        return Stream.of(
                workload(
                        "nothing that is required",
                        "name: nothing\n",
                        "topics: is missing, must be a number from 1 to 1000000",
                        "partitionsPerTopic: is missing, must be a number from 1 to 1000000",
                        "messageSize: is missing, must be a number from 1 to 268435456",
                        "subscriptionsPerTopic: is missing, must be a number from 0 to 1000000",
                        "producersPerTopic: is missing, must be a number from 0 to 1000000",
                        "consumerPerSubscription: is missing, must be a number from 0 to 1000000",
                        "testDuration: is missing, a run needs testDuration, testDurationMinutes or messageCount"),
                workload(
                        "a key without a value",
                        with("topics:"),
                        "topics: is missing, must be a number from 1 to 1000000"),
                workload(
                        "three mistakes of three kinds, each told once",
                        with("topics: many", "messageSize: -5", "producers: 1"),
                        "producers: unknown key",
                        "topics: must be a whole number, got 'many'",
                        "messageSize: must be a number from 1 to 268435456, got -5"),
                workload("a blank name", with("name: ' '"), "name: must not be blank, got ' '"),
                workload("no topics", with("topics: 0"), "topics: must be a number from 1 to 1000000, got 0"),
                workload(
                        "fewer than no producers",
                        with("producersPerTopic: -1"),
                        "producersPerTopic: must be a number from 0 to 1000000, got -1"),
                workload(
                        "neither producers nor consumers",
                        with("producersPerTopic: 0", "consumerPerSubscription: 0"),
                        "producersPerTopic: 0 needs consumers: subscriptionsPerTopic and consumerPerSubscription of at least 1,"
                                + " got 0"),
                workload(
                        "without producers, a bound of latency and a warm-up",
                        with("producersPerTopic: 0", "slo: {publishLatency99pct: 1s}", "warmupDuration: 5s"),
                        "slo: must be absent with producersPerTopic: 0, with which nothing is sent, got"
                                + " {publishLatency99pct=1s}",
                        "warmupDuration: must be 0 or absent with producersPerTopic: 0, since messages consumed in a warm-up"
                                + " are gone, got '5s'"),
                workload(
                        "fewer than no consumers",
                        with("consumerPerSubscription: -1"),
                        "consumerPerSubscription: must be a number from 0 to 1000000, got -1"),
                workload(
                        "too many partitions in all",
                        with("topics: 1000", "partitionsPerTopic: 100000"),
                        "partitionsPerTopic: topics × partitionsPerTopic must be at most 10000000, got 100000"),
                workload(
                        "too many consumers in all",
                        with("topics: 1000", "subscriptionsPerTopic: 1000", "consumerPerSubscription: 11"),
                        "consumerPerSubscription: topics × subscriptionsPerTopic × consumerPerSubscription must be at most"
                                + " 10000000, got 11"),
                workload(
                        "a ratio above 1",
                        with("randomBytesRatio: 1.5"),
                        "randomBytesRatio: must be from 0 to 1, got 1.5"),
                workload(
                        "a drain ratio below 0",
                        with("backlogDrainRatio: -0.1"),
                        "backlogDrainRatio: must be from 0 to 1, got -0.1"),
                workload(
                        "randomized payloads without a pool",
                        with("useRandomizedPayloads: true"),
                        "randomizedPayloadPoolSize: is missing, must be a number from 1 to 1000000"),
                workload(
                        "a pool that fills the memory",
                        with("useRandomizedPayloads: true", "randomizedPayloadPoolSize: 1000", "messageSize: 1048576"),
                        "randomizedPayloadPoolSize: must be at most 268435456 bytes when multiplied by messageSize,"
                                + " got 1000"),
                workload(
                        "both durations of the test",
                        with("testDuration: 30s"),
                        "testDuration: must be absent with testDurationMinutes, which has the same meaning, got '30s'"),
                workload(
                        "both durations of the warm-up",
                        with("warmupDuration: 1m30s", "warmupDurationMinutes: 1"),
                        "warmupDuration: must be absent with warmupDurationMinutes, which has the same meaning, got '1m30s'"),
                workload(
                        "no duration",
                        without("testDurationMinutes"),
                        "testDuration: is missing, a run needs testDuration, testDurationMinutes or messageCount"),
                workload(
                        "a test of no length",
                        with("testDurationMinutes: 0"),
                        "testDurationMinutes: must be a number from 1 to 43200, got 0"),
                workload(
                        "a test of a year",
                        without("testDurationMinutes") + "\ntestDuration: 365d",
                        "testDuration: must be from 1s to 30d, got '365d'"),
                workload(
                        "a period that is too short",
                        with("samplePeriod: 10ms"),
                        "samplePeriod: must be from 100ms to 1h, got '10ms'"),
                workload(
                        "a step of a search that is too short",
                        with("searchStep: 500ms"),
                        "searchStep: must be from 1s to 30d, got '500ms'"),
                workload(
                        "a search that is too short",
                        with("searchDuration: 500ms"),
                        "searchDuration: must be from 1s to 30d, got '500ms'"),
                workload(
                        "no messages",
                        with("messageCount: 0"),
                        "messageCount: must be a number from 1 to 1000000000000, got 0"),
                workload(
                        "a number of messages with the search for a rate",
                        with("producerRate: 0", "messageCount: 1000"),
                        "messageCount: must be absent with producerRate: 0, whose search has no fixed length, got 1000"),
                workload(
                        "a backlog with the search for a rate",
                        with("producerRate: 0", "consumerBacklogSizeGB: 1"),
                        "consumerBacklogSizeGB: needs a constant producerRate, not 0, got 1"),
                workload(
                        "a backlog without a rate",
                        with("producerRate: unlimited", "consumerBacklogSizeGB: 1"),
                        "consumerBacklogSizeGB: needs a constant producerRate, not unlimited, got 1"),
                workload(
                        "a backlog without consumers",
                        with("consumerPerSubscription: 0", "consumerBacklogSizeGB: 1"),
                        "consumerBacklogSizeGB: needs consumers: subscriptionsPerTopic and consumerPerSubscription of"
                                + " at least 1, got 1"),
                workload(
                        "a backlog with a number of messages",
                        with("messageCount: 1000", "consumerBacklogSizeGB: 1"),
                        "messageCount: must be absent with consumerBacklogSizeGB, got 1000"));
    }

    static Stream<Case> brokenDrivers() {
        return Stream.of(
                driver(
                        "nothing that is required",
                        "replicationFactor: 1\n",
                        "name: is missing, must be the name of the driver in results",
                        "driverClass: is missing, must be the name of a Java class"),
                driver(
                        "a misspelt key of the framework",
                        "name: Example\ndriverclass: com.example.ExampleDriver\nreplicationFactor: 1\n",
                        "driverclass: unknown key, did you mean 'driverClass'?"),
                driver(
                        "a misspelt optional key of the framework",
                        GOOD_DRIVER + "localBrokers: {nodes: 3}\n",
                        "localBrokers: unknown key, did you mean 'localBroker'?"),
                driver(
                        "a misspelt key of the driver",
                        GOOD_DRIVER + "topicConfigs: ''\n",
                        "topicConfigs: unknown key, did you mean 'topicConfig'?"),
                driver(
                        "a key that is like no other of a few",
                        GOOD_DRIVER + "retry: {attempts: 1, backoff: 1}\n",
                        "retry.backoff: unknown key, must be one of attempts, pause"),
                driver(
                        "a sentence for a class",
                        "name: Example\ndriverClass: the Kafka driver\nreplicationFactor: 1\n",
                        "driverClass: must be the name of a Java class, got 'the Kafka driver'"),
                driver(
                        "a broker of no nodes with little memory",
                        GOOD_DRIVER + "localBroker: {nodes: 0, heap: 512}\n",
                        "localBroker.nodes: must be a number from 1 to 9, got 0",
                        "localBroker.heap: must be a size such as 512m or 2g, got '512'"),
                driver(
                        "exporters that are none",
                        GOOD_DRIVER + "metrics: {prometheus: [\"kafka-1:9404\"], every: 10ms}\n",
                        "metrics.every: must be at least 100ms, got '10ms'",
                        "metrics.prometheus: must be addresses such as http://kafka-1:9404/metrics: it does"
                                + " not start with http:// or https://, got 'kafka-1:9404'"),
                driver(
                        "a number for a broker",
                        GOOD_DRIVER + "localBroker: 3\n",
                        "localBroker: must be a mapping of keys to values, got 3"),
                driver(
                        "too large for a short",
                        "name: Example\ndriverClass: a.B\nreplicationFactor: 40000\n",
                        "replicationFactor: must be a whole number from -32768 to 32767, got 40000"),
                driver(
                        "two of the driver's own rules, at two depths",
                        "name: Example\ndriverClass: a.B\nreplicationFactor: 0\nretry: {attempts: 0, pause: soon}\n",
                        "retry.pause: must be a duration such as 500ms, 30s, 5m or 1h30m, got 'soon'",
                        "retry.attempts: must be at least 1, got 0",
                        "replicationFactor: must be at least 1, got 0"));
    }

    static Stream<Case> brokenWorkers() {
        return Stream.of(
                workers("no workers", "workers: []\n", "workers: must have at least one address"),
                workers("not even the key", "worker: []\n", "worker: unknown key, did you mean 'workers'?"),
                workers(
                        "one address, not a list",
                        "workers: http://a:1\n",
                        "workers: must be a list, got 'http://a:1'"),
                workers(
                        "a host only, a port out of range, a mapping, nothing",
                        "workers: [localhost, 'http://a:70000', {host: a}, ~]\n",
                        "workers[2]: must be text, got a mapping",
                        "workers[3]: must have a value"),
                workers(
                        "a host only, a port out of range, no host",
                        "workers: [localhost, 'http://a:70000', 'http://:8080']\n",
                        "workers[0]: must be an address such as https://10.0.0.1:8080: it does not start with http:// or"
                                + " https://, got 'localhost'",
                        "workers[1]: must be an address such as https://10.0.0.1:8080: the port is not a number from 1"
                                + " to 65535, got 'http://a:70000'",
                        "workers[2]: must be an address such as https://10.0.0.1:8080: the host is missing, got"
                                + " 'http://:8080'"),
                workers(
                        "the same worker twice",
                        "workers: ['http://a:1', 'http://b:1', 'http://a:1']\n",
                        "workers[2]: must occur only once, got 'http://a:1'"));
    }
}
