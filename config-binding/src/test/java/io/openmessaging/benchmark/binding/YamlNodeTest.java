package io.openmessaging.benchmark.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.binding.YamlNode.Empty;
import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import io.openmessaging.benchmark.binding.YamlNode.Scalar;
import io.openmessaging.benchmark.binding.YamlNode.Sequence;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlNodeTest {

    /** Texts that have another meaning without quotes, or within quotes. */
    private static final List<String> TEXTS = List.of(
            "", " ", "plain", "true", "null", "42", "1_000", "0x1f", "1e9", ".inf", "- a", "a: b", "#", "{", "]", "*a",
            "&a", "!a", "'", "\"", "\\", "\\n", "%", "@", "`", "|", ">", "? a", "---", "...", " a ", "a\nb\n", "\t",
            "\r\n");

    private static final List<String> UNQUOTED = List.of(
            "true",
            "False",
            "yes",
            "0",
            "-17",
            "+5",
            "1_000",
            "9223372036854775807",
            "92233720368547758070",
            "1.50",
            "1.",
            ".5",
            "-0.0",
            "1e-3",
            "0x1f",
            "0o17",
            "017",
            ".inf",
            ".nan",
            "~",
            "null",
            "",
            "2026-11-22",
            "1:30");

    /** Returns the node of a text that a file contains without quotes. */
    private static YamlNode unquoted(String text) {
        try {
            Mapping read =
                    YamlFile.parse(Path.of("driver.yaml"), "key: " + text).root();
            return Objects.requireNonNull(read.entries().get("key"), text);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static Mapping throughYaml(Mapping mapping) throws ConfigException {
        return YamlFile.parse(Path.of("driver.yaml"), mapping.toYaml()).root();
    }

    private static void assertTheSame(Mapping mapping) throws ConfigException {
        Mapping read = throughYaml(mapping);
        assertThat(read.toYaml()).isEqualTo(mapping.toYaml());
        assertThat(read).isEqualTo(mapping);
    }

    private static YamlNode node(Random random, int depth) {
        return switch (random.nextInt(depth <= 0 ? 3 : 5)) {
            case 0 -> Scalar.of(text(random));
            case 1 -> unquoted(UNQUOTED.get(random.nextInt(UNQUOTED.size())));
            case 2 -> new Empty();
            case 3 -> {
                List<YamlNode> elements = new ArrayList<>();
                for (int left = random.nextInt(4); left > 0; left--) {
                    elements.add(node(random, depth - 1));
                }
                yield new Sequence(elements);
            }
            default -> mapping(random, depth - 1);
        };
    }

    private static Mapping mapping(Random random, int depth) {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        for (int left = random.nextInt(5); left > 0; left--) {
            entries.put(text(random), node(random, depth));
        }
        return new Mapping(entries);
    }

    private static String text(Random random) {
        if (random.nextBoolean()) {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        }
        int[] most = {0x80, 0x100, 0x3000, Character.MAX_CODE_POINT + 1};
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(8); left > 0; left--) {
            int codePoint = random.nextInt(most[random.nextInt(most.length)]);
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                text.appendCodePoint(codePoint);
            }
        }
        return text.toString().equals("~") ? "" : text.toString();
    }

    @Test
    void anyTreeIsTheSameAfterItsWayThroughYaml() throws Exception {
        Random random = new Random(20_261_122);
        for (int i = 0; i < 1000; i++) {
            assertTheSame(mapping(random, 4));
        }
    }

    @Test
    void everyCharacterOfATextIsTheSame() throws Exception {
        // Tests all of the basic plane, and the first 256 of every 4,096 characters of the other planes, which are all
        // written in one way.
        for (int from = 0; from <= Character.MAX_CODE_POINT; from += from < 0x10000 ? 256 : 4096) {
            StringBuilder text = new StringBuilder();
            for (int codePoint = from; codePoint < from + 256; codePoint++) {
                if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                    text.appendCodePoint(codePoint);
                }
            }
            assertTheSame(new Mapping(Map.of("key", Scalar.of(text.toString()))));
        }
    }

    @Test
    void asDeepAsAFileMayBeItIsRead() throws Exception {
        YamlNode node = Scalar.of("bottom");
        for (int depth = 0; depth < 31; depth++) {
            node = depth % 2 == 0 ? new Sequence(List.of(node)) : new Mapping(Map.of("key", node));
        }
        assertTheSame(new Mapping(Map.of("top", node)));
    }

    /** Texts as long as a file may be, including characters that take the most room. */
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\"\\", "a", "é"})
    void aLongTextIsTheSame(String part) throws Exception {
        String text = part.repeat(YamlFile.MAX_BYTES / part.getBytes(StandardCharsets.UTF_8).length);
        assertTheSame(new Mapping(Map.of("before", new Empty(), "text", Scalar.of(text), "after", Scalar.of("it"))));
    }

    @Test
    void aLongKeyIsTheSame() throws Exception {
        assertTheSame(new Mapping(Map.of("key\"".repeat(150), Scalar.of("value"))));
    }

    /** YAML can express half a surrogate pair with an escape. */
    @Test
    void halfACharacterIsTheSame() throws Exception {
        assertTheSame(new Mapping(Map.of("high", Scalar.of("\ud83d"), "low", Scalar.of("\ude00\ud83d"))));
    }

    @Test
    void itIsOneLine() {
        Mapping mapping = new Mapping(Map.of("text", Scalar.of("a\r\nb\u0085c")));
        assertThat(mapping.toYaml()).isEqualTo("{\"text\": \"a\\r\\nb\\u0085c\"}");
    }

    @Test
    void whatIsNoTextHasNoQuotes() throws Exception {
        Map<String, YamlNode> entries = new LinkedHashMap<>();
        entries.put("a", new Scalar("1_000", 1000L));
        entries.put("b", new Empty());
        entries.put("c", new Sequence(List.of(new Scalar("true", true), Scalar.of("true"))));
        assertThat(new Mapping(entries).toYaml()).isEqualTo("{\"a\": 1_000, \"b\": null, \"c\": [true, \"true\"]}");
    }
}
