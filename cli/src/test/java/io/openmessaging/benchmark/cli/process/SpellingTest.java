package io.openmessaging.benchmark.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingTest {

    private static final String ASCII = "ANSI_X3.4-1968";

    @Test
    void whatTheLocaleCannotSpellIsNamedWithTheRemedy() {
        assertThat(Spelling.problem("benchmark", ASCII, List.of("/home/a"), List.of("-o", "\uFFFD\uFFFD.json")))
                .contains(
                        "benchmark: the locale's encoding, ANSI_X3.4-1968, cannot represent the argument '??.json': set"
                                + " LC_ALL to a UTF-8 locale that 'locale -a' lists, such as C.UTF-8");
        assertThat(Spelling.problem("benchmark-worker", ASCII, List.of("/\uFFFDn"), List.of())
                        .orElse(""))
                .startsWith(
                        "benchmark-worker: the locale's encoding, ANSI_X3.4-1968, cannot represent the path of the folder"
                                + " '/?n', in which it was started or installed:");
    }

    @Test
    void whatItCanSpellIsFine() {
        assertThat(Spelling.problem("benchmark", "UTF-8", List.of("/ünï"), List.of("ö.json", "*?")))
                .isEmpty();
    }
}
