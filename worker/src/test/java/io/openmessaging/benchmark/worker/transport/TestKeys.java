package io.openmessaging.benchmark.worker.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Key files for tests, created once because the JDK's tool takes a second for each. */
public final class TestKeys {

    private static final Path FOLDER = folder();
    private static final KeyFile OURS = make("ours.key");
    private static final KeyFile OTHERS = make("others.key");

    private TestKeys() {}

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("keys");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyFile make(String name) {
        Path file = FOLDER.resolve(name);
        file.toFile().deleteOnExit();
        try {
            KeyMaker.make(file);
            return KeyFile.read(file);
        } catch (KeyFileException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns the key of both sides. */
    public static KeyFile ours() {
        return OURS;
    }

    /** Returns a key of the same kind that neither side knows. */
    public static KeyFile others() {
        return OTHERS;
    }

    /** Returns the key file of a side that accepts any key and presents one that the other side does not know. */
    public static KeyFile credulous() {
        return careless(true);
    }

    /** Returns the key file of a side that accepts any key and presents none. */
    public static KeyFile anonymous() {
        return careless(false);
    }

    private static KeyFile careless(boolean showsKey) {
        Path file = FOLDER.resolve("others.key");
        try (InputStream in = Files.newInputStream(file)) {
            char[] password = KeyFile.DEFAULT_PASSWORD.toCharArray();
            KeyStore store = KeyStore.getInstance(KeyFile.TYPE);
            store.load(in, password);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance(KeyFile.PROTOCOL);
            context.init(showsKey ? keys.getKeyManagers() : null, new TrustManager[] {new Credulous()}, null);
            return new KeyFile(file, context);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A trust manager that accepts every certificate. */
    private static final class Credulous extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
