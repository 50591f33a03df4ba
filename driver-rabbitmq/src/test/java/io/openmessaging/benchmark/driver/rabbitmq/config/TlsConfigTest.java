package io.openmessaging.benchmark.driver.rabbitmq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import io.openmessaging.benchmark.suite.Patience;
import io.openmessaging.benchmark.suite.StartsProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@StartsProcesses
class TlsConfigTest {

    private static final String PASSWORD = "of-the-store";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static String store;

    @BeforeAll
    static void makeStore() throws Exception {
        store = folder.resolve("own.p12").toString();
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store,
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Patience.exitCode("keytool", keytool)).as(output).isZero();
    }

    private static TlsConfig config(@Nullable String trusted, boolean trustAll) {
        return new TlsConfig(trusted, PASSWORD, store, PASSWORD, true, trustAll, false);
    }

    /**
     * Connects to a server; both sides present the certificate in the store. Returns the byte that the server
     * receives, or -1 if none.
     */
    private static int handshake(SSLContext client) throws Exception {
        try (SSLServerSocket listening = (SSLServerSocket)
                config(store, false).context().getServerSocketFactory().createServerSocket(0)) {
            listening.setNeedClientAuth(true);
            CompletableFuture<Integer> got = CompletableFuture.supplyAsync(() -> {
                try (SSLSocket accepted = (SSLSocket) listening.accept()) {
                    return accepted.getInputStream().read();
                } catch (IOException e) {
                    return -1;
                }
            });
            try (SSLSocket socket =
                    (SSLSocket) client.getSocketFactory().createSocket("localhost", listening.getLocalPort())) {
                socket.getOutputStream().write(7);
                return Patience.get("what the server gets", got);
            }
        }
    }

    @Test
    void whatTheTrustStoreHasIsTrustedAndTheOwnCertificateIsShown() throws Exception {
        assertThat(handshake(config(store, false).context())).isEqualTo(7);
        assertThat(handshake(config(null, true).context())).isEqualTo(7);
    }

    @Test
    void whatNobodyVouchesForIsNotTrusted() throws Exception {
        SSLContext client = config(null, false).context();
        assertThatThrownBy(() -> handshake(client)).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void streamsVerifyTheHostUnlessEverythingIsTrusted() throws Exception {
        assertThat(identification(config(store, false))).isEqualTo("HTTPS");
        assertThat(identification(config(null, true))).isNullOrEmpty();
    }

    private static @Nullable String identification(TlsConfig config) throws Exception {
        return config.nettyContext()
                .newEngine(ByteBufAllocator.DEFAULT, "localhost", 1)
                .getSSLParameters()
                .getEndpointIdentificationAlgorithm();
    }

    @Test
    void aStoreWithAnotherPasswordIsAnError() {
        TlsConfig config = new TlsConfig(store, "wrong", null, null, true, false, false);
        assertThatThrownBy(config::context).isInstanceOf(IOException.class);
    }
}
