package io.openmessaging.benchmark.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JarSetTest {

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <dependencies><dependency><artifactId>other</artifactId><version>9</version></dependency></dependencies>
              <artifactId>demo</artifactId>
              <version>1.2</version>
              <name>Demo Broker</name>
              <properties><download.mb>7</download.mb></properties>
            </project>
            """;

    @Test
    void takesEverythingFromThePom() {
        assertThat(JarSet.of(POM)).isEqualTo(new JarSet("demo", "Demo Broker", "1.2", 7, POM));
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> JarSet.of(POM.replace("download.mb", "size")))
                .hasMessage("the POM lacks properties/download.mb");
        assertThatThrownBy(() -> JarSet.ofResource(JarSetTest.class, "missing.xml"))
                .hasMessageStartingWith("missing.xml is missing beside ");
    }
}
