package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests references in a driver file, as users write them. */
class ReferencesTest {

    private static final String UNSET = "OPENMESSAGING_BENCHMARK_TEST_NOT_SET";

    @TempDir
    private Path folder;

    private Path secret;

    /** The configuration of some driver. */
    public record Config(
            @Default("none") String password,
            List<String> urls,
            @Range(from = "1") int window) implements Checked {

        @Override
        public void check(Problems problems) {
            problems.require(password.length() > 3, "password", "must be longer than 3 characters", password);
        }
    }

    @BeforeEach
    void writeSecret() throws IOException {
        secret = Files.writeString(folder.resolve("secret"), "hunter2\n");
    }

    private Config bind(String... lines) throws IOException, ConfigException {
        Path file = Files.writeString(
                folder.resolve("driver.yaml"), "name: d\ndriverClass: x.Y\n" + String.join("\n", lines) + "\n");
        return DriverSettings.in(YamlFile.read(file)).bind(Config.class);
    }

    /** For a driver that reads a file itself, which is written for it. */
    @Test
    void theyAreLookedUpInKeysThatNobodyBinds() throws Exception {
        Files.writeString(secret, "a: \"b\\n\n");
        Path file = Files.writeString(
                folder.resolve("driver.yaml"),
                "driverClass: x.Y\nlogin: {password: '${file:" + secret + "}', ports: [1, '${env:PATH}']}\n");
        YamlNode login = Objects.requireNonNull(
                DriverSettings.in(YamlFile.read(file)).resolvedKeys().entries().get("login"));

        assertThat(YamlFile.parse(file, "login: " + login.toYaml())
                        .root()
                        .toObject()
                        .toString())
                .as("read again")
                .isEqualTo("{login={password=a: \"b\\n, ports=[1, " + System.getenv("PATH") + "]}}");
    }

    @Test
    void aReferenceThatLeadsNowhereIsAProblemOfItsKey() throws Exception {
        Path file =
                Files.writeString(folder.resolve("driver.yaml"), "driverClass: x.Y\nuser: '${env:" + UNSET + "}'\n");
        DriverSettings settings = DriverSettings.in(YamlFile.read(file));
        assertThatThrownBy(settings::resolvedKeys)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("user: needs the environment variable " + UNSET + ", which is not set");
    }

    @Test
    void aFileAndTheEnvironmentAreLookedUp() throws Exception {
        Config config = bind(
                "password: ${file:" + secret + "}",
                "urls: ['amqp://me:${file:" + secret + "}@host', 'p=${env:PATH}']",
                "window: 5");
        assertThat(config.password()).isEqualTo("hunter2");
        assertThat(config.urls()).containsExactly("amqp://me:hunter2@host", "p=" + System.getenv("PATH"));
    }

    /** Kafka's clients have their own form of references. */
    @Test
    void whatIsNoReferenceOfOursIsLeftAlone() throws Exception {
        String kafkas = "${file:/etc/kafka/secrets.properties:key}";
        Config config = bind("password: '" + kafkas + "'", "urls: ['${HOME}', '$', '${vault:a}']", "window: 5");
        assertThat(config.password()).isEqualTo(kafkas);
        assertThat(config.urls()).containsExactly("${HOME}", "$", "${vault:a}");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() ->
                        bind("password: ${env:" + UNSET + "}", "urls: ['${file:" + folder + "/none}']", "window: 5"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("password: needs the environment variable " + UNSET + ", which is not set")
                .hasMessageContaining("urls[0]: needs the file " + folder + "/none, which does not exist");
        assertThatThrownBy(() -> bind("password: ${file:" + folder + "}", "urls: []", "window: 5"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("which cannot be read");
    }

    /** Wherever a problem names a value, it names the text in the file. */
    @Test
    void noProblemNamesASecret() throws Exception {
        Files.writeString(secret, "-17");
        String reference = "${file:" + secret + "}";
        assertThatThrownBy(() -> bind("password: " + reference, "urls: []", "window: " + reference))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("password: must be longer than 3 characters")
                .hasMessageContaining("window: must be at least 1")
                .extracting(e -> String.valueOf(e.getMessage()).replace(folder.toString(), ""))
                .asString()
                .as("without the folder, which has a number for its name")
                .doesNotContain("-17");
        Files.writeString(secret, "hunter2");
        assertThatThrownBy(() -> bind("password: abcd", "urls: []", "window: " + reference))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("window: must be a whole number, got '" + reference.substring(0, 30))
                .hasMessageNotContaining("hunter2");
    }
}
