package io.openmessaging.benchmark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProblemsTest {

    private final Problems problems = new Problems();

    @Test
    void anAddressIsNotedWithTheCauseAndWithoutALogin() {
        problems.address("at", "a_b-1.example:65535");
        assertThat(problems.found()).isEmpty();
        problems.address("at", "me:secret@a:1");
        assertThat(problems.found()).hasToString("[at: must be host:port: it must not contain a login, got '***@a:1']");
    }

    /** Keys of a file, some of which may have no value. */
    public record Pool(
            int size, @Nullable Integer idle, @Nullable Pool next) {}

    @Test
    void aRecordOfKeysIsShownAsItIsWrittenInAFile() {
        problems.add("pool", "is not offered", new Pool(4, null, new Pool(2, 1, null)));
        assertThat(problems.found()).hasToString("[pool: is not offered, got {size: 4, next: {size: 2, idle: 1}}]");
    }

    /** A record that hides its value. */
    public record Secret(String password) {
        @Override
        public String toString() {
            return "***";
        }
    }

    /** Keys, one of which hides its value. */
    public record Login(String user, Secret secret) {}

    @Test
    void aRecordBelowAKeyKeepsItsSecret() {
        problems.add("login", "is not offered", new Login("me", new Secret("no-one")));
        assertThat(problems.found()).hasToString("[login: is not offered, got {user: me, secret: ***}]");
    }

    @Test
    void aNameHasNoControlCharacters() {
        problems.printable("name", "größe 😀 #1");
        assertThat(problems.found()).isEmpty();
        problems.printable("name", "a\u001b[2J\n\tb");
        assertThat(problems.found())
                .hasToString(
                        "[name: must not contain control characters, such as line breaks, got 'a\\u001b[2J\\n\\tb']");
    }

    @Test
    void aFileHasToBeThereIfThereIsOne(@TempDir Path folder) throws IOException {
        problems.readable("none", null);
        problems.readable("there", Files.createFile(folder.resolve("store")).toString());
        assertThat(problems.found()).isEmpty();
        problems.below("tls").readable("store", "/no/such/file");
        problems.readable("folder", "/");
        assertThat(problems.found())
                .hasToString("[tls.store: must be a file that can be read, got '/no/such/file',"
                        + " folder: must be a file that can be read, got '/']");
    }
}
