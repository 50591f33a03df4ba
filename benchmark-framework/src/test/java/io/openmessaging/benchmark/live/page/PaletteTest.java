package io.openmessaging.benchmark.live.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.live.page.PageHandler.PageFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the page looks like the report, and that a system has one colour on both. */
class PaletteTest {

    private static final Path CHARTS = Path.of("../charts/omb_charts");
    private static final Pattern VARIABLE = Pattern.compile("--([a-z]+): (#[0-9a-fA-F]{6})");
    private static final Pattern ENTRY = Pattern.compile("\"([a-z]+)\": \"(#[0-9A-F]{6})\"");

    private static Map<String, String> found(Pattern pattern, String text) {
        Map<String, String> all = new TreeMap<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            all.put(matcher.group(1), matcher.group(2));
        }
        return all;
    }

    /** The text from the start of one string to the start of another. */
    private static String part(String text, String from, String to) {
        int begin = text.indexOf(from);
        assertThat(begin).as(from).isNotNegative();
        return text.substring(begin, text.indexOf(to, begin + from.length()));
    }

    @Test
    void coloursAreThoseOfTheReport() throws IOException {
        String page = new String(PageFile.read().html(), StandardCharsets.UTF_8);
        String report = Files.readString(CHARTS.resolve("page/report.css"));
        String systems = Files.readString(CHARTS.resolve("style.py"));

        assertThat(found(VARIABLE, part(page, ":root {", "}")))
                .containsAllEntriesOf(found(VARIABLE, part(report, ":root {", "}")))
                .containsAllEntriesOf(found(ENTRY, part(systems, "_COLOURS:", "\n}")));
        assertThat(found(VARIABLE, part(page, "[data-theme=\"dark\"] {", "}")))
                .containsAllEntriesOf(found(VARIABLE, part(report, "[data-theme=\"dark\"] {", "}")))
                .containsAllEntriesOf(found(ENTRY, part(systems, "_ON_DARK:", "\n}")));
        assertThat(part(page, "font: 16px", ";")).isEqualTo(part(report, "font: 16px", ";"));
    }
}
