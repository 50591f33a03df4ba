package io.openmessaging.benchmark.worker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.binding.DriverSettings;
import io.openmessaging.benchmark.binding.YamlFile;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DriverDescriptionTest {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    /** A configuration with every form of key. */
    public record Config(
            Below client,
            List<String> hosts,
            @Nullable String nothing,
            String quoted,
            String several,
            boolean truth,
            long grouped,
            double fraction,
            Map<String, String> free) {}

    /** Keys one level deeper. */
    public record Below(List<Integer> numbers, String name) {}

    static List<Path> shippedFiles() throws IOException {
        try (Stream<Path> folders = Files.list(HOME)) {
            return folders.filter(folder -> String.valueOf(folder.getFileName()).startsWith("driver-"))
                    .flatMap(folder -> Stream.of(folder.toFile().listFiles((in, name) -> name.endsWith(".yaml"))))
                    .map(file -> file.toPath())
                    .sorted()
                    .toList();
        }
    }

    private static DriverSettings settings(Path file, Mapping root) {
        Mapping keys = root;
        for (String key : DriverSettings.FRAMEWORK_KEYS) {
            keys = keys.without(key);
        }
        return new DriverSettings(file, "com.example.Driver", keys);
    }

    /** Returns the settings that another process reads from the description. */
    private static DriverSettings elsewhere(DriverSettings settings) throws Exception {
        DriverDescription description = Wire.read(Wire.write(DriverDescription.of(settings)), DriverDescription.class);
        Path file = Path.of(description.file());
        return new DriverSettings(
                file,
                description.driverClass(),
                YamlFile.parse(file, description.yaml()).root());
    }

    @ParameterizedTest
    @MethodSource("shippedFiles")
    void everyDriverFileSaysElsewhereWhatItSaysHere(Path file) throws Exception {
        DriverSettings settings = settings(file, YamlFile.read(file).root());
        DriverSettings read = elsewhere(settings);
        assertThat(read).isEqualTo(settings);
        assertThat(read.keys().entries().keySet())
                .as("the order of keys")
                .containsExactlyElementsOf(settings.keys().entries().keySet());
        assertThat(read.keys().toObject()).isEqualTo(settings.keys().toObject());
    }

    @Test
    void thereAreFilesOfEverySystem() throws Exception {
        assertThat(shippedFiles()).hasSizeGreaterThan(40);
    }

    @Test
    void everyKindOfValueBindsToTheSame() throws Exception {
        Mapping root = YamlFile.parse(HOME.resolve("driver.yaml"), """
                        client:
                          numbers: [1, 1_000, -3]
                          name: 'it''s "quoted": {not a mapping}'
                        hosts: ["[::1]:9092", host:1]
                        nothing:
                        quoted: "42"
                        several: |
                          acks=all
                          # no comment
                          path=C:\\temp
                        truth: true
                        grouped: 1_000_000
                        fraction: 1e-3
                        free: {"a: b": 1.50, c: "0123", d: yes, "e ": "", "": "null"}
                        """).root();
        DriverSettings settings = new DriverSettings(Path.of("driver.yaml"), "com.example.Driver", root);
        Config config = settings.bind(Config.class);
        assertThat(elsewhere(settings).bind(Config.class)).isEqualTo(config);
        assertThat(config.free()).isEqualTo(Map.of("a: b", "1.50", "c", "0123", "d", "yes", "e ", "", "", "null"));
        assertThat(config.several()).isEqualTo("acks=all\n# no comment\npath=C:\\temp\n");
        assertThat(config.nothing()).isNull();
    }

    /** A secret is not sent: it is looked up where the driver is loaded. */
    @Test
    void aReferenceStaysOne() throws Exception {
        Mapping root = Mapping.of(Map.of("password", "${env:PATH}"));
        DriverSettings settings = new DriverSettings(Path.of("driver.yaml"), "com.example.Driver", root);
        assertThat(DriverDescription.of(settings).yaml()).isEqualTo("{\"password\": \"${env:PATH}\"}");
        assertThat(elsewhere(settings)).isEqualTo(settings);
    }

    @Test
    void aFileWithoutKeysOfTheDriverIsOne() throws Exception {
        DriverSettings settings = new DriverSettings(Path.of("driver.yaml"), "com.example.Driver", Mapping.empty());
        assertThat(elsewhere(settings)).isEqualTo(settings);
    }

    @Test
    void pointedElsewhereItIsAnother() {
        DriverDescription here =
                DriverDescription.of(new DriverSettings(Path.of("driver.yaml"), "com.example.Driver", Mapping.empty()));
        assertThat(here.isPointedElsewhere()).isFalse();
        assertThat(here.withAddresses(List.of("a:1"), Map.of()).isPointedElsewhere())
                .isTrue();
        DriverDescription twice =
                here.withAddresses(List.of(), Map.of("admin", List.of("a:2"))).withAddresses(List.of("a:3"), Map.of());
        assertThat(twice.isPointedElsewhere()).isTrue();
        assertThat(twice.endpoints()).isEqualTo(Map.of("admin", List.of("a:2")));
    }
}
