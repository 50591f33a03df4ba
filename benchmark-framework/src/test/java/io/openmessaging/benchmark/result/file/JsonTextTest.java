package io.openmessaging.benchmark.result.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class JsonTextTest {

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "1, 1.0",
        "1e7, 10000000.0",
        "1e-6, 0.000001",
        "4.9e-7, 0.0",
        "1.2345678, 1.234568",
        "-0.5, -0.5",
        "123456789.123456789, 123456789.123457"
    })
    void writesDecimalsWithAPointAndWithoutAnExponent(double value, String text) {
        assertThat(JsonText.of(object().set("x", JsonText.decimal(value)))).isEqualTo("{\n  \"x\": " + text + "\n}\n");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void writesNullForWhatJsonDoesNotKnow(double value) {
        assertThat(JsonText.decimal(value).isNull()).isTrue();
    }

    @Test
    void laysOutLinesForPeople() {
        ObjectNode root = object();
        root.put("text", "a \"quoted\" µ\n");
        root.putArray("numbers").add(1).add(2);
        root.putArray("none");
        root.putObject("nothing");
        root.putArray("objects").add(object().put("a", 1).put("b", 2)).add(object().put("a", 3));
        ObjectNode inner = root.putObject("inner");
        inner.putObject("deep").put("a", 1).putObject("deeper").put("b", 2);
        inner.putArray("list").add(object().put("c", 3));
        inner.putNull("absent");

        assertThat(JsonText.of(root)).isEqualTo("""
                {
                  "text": "a \\"quoted\\" µ\\n",
                  "numbers": [1, 2],
                  "none": [],
                  "nothing": {},
                  "objects": [
                    {"a": 1, "b": 2},
                    {"a": 3}
                  ],
                  "inner": {
                    "deep": {"a": 1, "deeper": {"b": 2}},
                    "list": [
                      {"c": 3}
                    ],
                    "absent": null
                  }
                }
                """);
    }
}
