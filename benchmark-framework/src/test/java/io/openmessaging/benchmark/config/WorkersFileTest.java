package io.openmessaging.benchmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkersFileTest {

    @TempDir
    Path folder;

    @Test
    void listsAddresses() throws Exception {
        Path file = Files.writeString(folder.resolve("workers.yaml"), """
                workers:
                  - http://10.0.0.1:8080
                  - https://worker-2.example.org:9090/
                """);

        assertThat(WorkersFile.read(file).workers())
                .containsExactly("http://10.0.0.1:8080", "https://worker-2.example.org:9090/");
    }
}
