package io.openmessaging.benchmark.driver.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PropertiesTextTest {

    @Test
    void parsesAsJavaDoes() {
        assertThat(PropertiesText.parse("# a comment\na=1\n\n  b : two words  \nc=x\\\n  y\n"))
                .isEqualTo(Map.of("a", "1", "b", "two words", "c", "xy"));
    }

    @Test
    void anEmptyTextHasNoSettings() {
        assertThat(PropertiesText.parse("")).isEmpty();
    }

    @Test
    void changesOneSettingAndKeepsTheOthersWhateverTheyContain() {
        String login = "PlainLoginModule required username=\"a:b\" password=\"p#w!d=\\\\1 é\ttab\";";
        String text = "odd\\ key\\=\\:\\#=1\nbootstrap.servers=old:1\nsasl.jaas.config="
                + login.replace("\\", "\\\\").replace("\t", "\\t");
        assertThat(PropertiesText.parse(PropertiesText.with(text, "bootstrap.servers", "a:1,b:2")))
                .isEqualTo(Map.of("odd key=:#", "1", "bootstrap.servers", "a:1,b:2", "sasl.jaas.config", login));
    }

    @Test
    void addsASettingThatWasNotThere() {
        assertThat(PropertiesText.with("b=1", "a", "2")).isEqualTo("a=2\nb=1\n");
    }
}
