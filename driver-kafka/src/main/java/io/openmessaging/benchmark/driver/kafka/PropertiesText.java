package io.openmessaging.benchmark.driver.kafka;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The form in which a driver file carries Kafka's settings: the text of a Java properties file. */
final class PropertiesText {

    private PropertiesText() {}

    /**
     * The settings by name, sorted; values without the blanks around them.
     *
     * @throws IllegalArgumentException if the text is none of a properties file
     */
    static Map<String, String> parse(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be read.", e);
        }
        Map<String, String> settings = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> settings.put(name, properties.getProperty(name).strip()));
        return settings;
    }

    /** The same settings, one of them changed or added; comments are lost. */
    static String with(String text, String name, String value) {
        Map<String, String> settings = parse(text);
        settings.put(name, value);
        StringBuilder changed = new StringBuilder();
        settings.forEach((n, v) -> changed.append(escaped(n, " =:#!"))
                .append('=')
                .append(escaped(v, ""))
                .append('\n'));
        return changed.toString();
    }

    private static String escaped(String text, String special) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                case '\f' -> escaped.append("\\f");
                case '\\' -> escaped.append("\\\\");
                default -> escaped.append(special.indexOf(c) < 0 ? "" : "\\").append(c);
            }
        }
        return escaped.toString();
    }
}
