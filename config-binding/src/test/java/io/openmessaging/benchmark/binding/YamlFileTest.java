package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlFileTest {

    @TempDir
    Path folder;

    @Test
    void readsEveryKindOfValue() throws Exception {
        Path file = write("""
                # a comment
                text: plain text
                quoted: '42'
                number: 42
                grouped: 1_000
                fraction: 1.5
                truth: true
                nothing:
                tilde: ~
                several: |
                  one
                  two
                list: [1, {two: 2}]
                below:
                  deeper: yes
                """);

        assertThat(YamlFile.read(file).root().toObject().entrySet().stream().map(Object::toString))
                .containsExactly(
                        "text=plain text",
                        "quoted=42",
                        "number=42",
                        "grouped=1_000",
                        "fraction=1.5",
                        "truth=true",
                        "nothing=null",
                        "tilde=null",
                        "several=one\ntwo\n",
                        "list=[1, {two=2}]",
                        "below={deeper=yes}");
        assertThat(YamlFile.read(file).root().toObject())
                .containsEntry("quoted", "42")
                .containsEntry("number", 42L)
                .containsEntry("fraction", 1.5)
                .containsEntry("truth", true);
    }

    @Test
    void acceptsAByteOrderMarkAndWindowsLineEnds() throws Exception {
        Path file = write("\uFEFFtopics: 1\r\nname: a\r\n");

        assertThat(YamlFile.read(file).root().toObject())
                .containsExactlyInAnyOrderEntriesOf(Map.of("topics", 1L, "name", "a"));
    }

    @Test
    void acceptsAMarkerAroundTheOnlyDocument() throws Exception {
        Path file = write("%YAML 1.2\n---\ntopics: 1\n...\n");

        assertThat(YamlFile.read(file).root().toObject()).containsExactly(Map.entry("topics", 1L));
    }

    @Test
    void refusesAFileThatIsNotThere() {
        refuses(folder.resolve("missing.yaml"), "there is no such file");
    }

    @Test
    void refusesAFolder() {
        refuses(folder, "is a folder, must be a file");
    }

    @Test
    void refusesALinkThatLeadsNowhere() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), folder.resolve("gone.yaml"));

        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        refuses(link, "there is no such file");
    }

    @Test
    void refusesAFileBelowAFile() throws IOException {
        Path file = write("topics: 1");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> YamlFile.read(file.resolve("below.yaml")))
                .withMessageStartingWith(file.resolve("below.yaml") + ": cannot be read: ");
    }

    @Test
    void refusesBytesThatAreNotUtf8() throws IOException {
        Path file = folder.resolve("latin1.yaml");
        Files.write(file, "name: für".getBytes(StandardCharsets.ISO_8859_1));

        refuses(file, "must be text in UTF-8");
    }

    @Test
    void refusesMoreThanOneMebibyte() throws IOException {
        byte[] bytes = new byte[YamlFile.MAX_BYTES + 1];
        Arrays.fill(bytes, (byte) '#');
        Path file = Files.write(folder.resolve("large.yaml"), bytes);
        refuses(file, "is too large, must have at most 1048576 bytes");

        Path fits = Files.write(folder.resolve("fits.yaml"), Arrays.copyOf(bytes, YamlFile.MAX_BYTES));
        refuses(fits, "is empty, must have keys and values");
    }

    @Test
    void keepsProblemsApartFromTheirText() throws IOException {
        Path file = write("a: 1\na: 2\n");

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> YamlFile.read(file))
                .satisfies(refusal -> assertThat(refusal.problems())
                        .extracting(problem -> problem.key())
                        .isEqualTo(List.of("a")));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("file.yaml"), text);
    }

    private static void refuses(Path file, String rule) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> YamlFile.read(file))
                .withMessage(file + ": " + rule)
                .withNoCause();
    }
}
