package io.openmessaging.benchmark.worker.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The key that coordinator and workers share: a PKCS #12 file. Both sides show its certificate and prove by TLS 1.3
 * that they have its private key.
 *
 * <p>A file that {@link KeyMaker} made contains only the key pair: then exactly this certificate is accepted, on both
 * sides, whatever the name of a machine and whatever the date. A user's own file may contain certificates of
 * authorities in addition to the key: then certificates signed by them are accepted, and the certificate of a worker
 * must be for the name by which it is addressed.
 */
public final class KeyFile {

    /** The only supported version. */
    public static final String PROTOCOL = "TLSv1.3";

    /** The environment variable with the password of a user's own file. */
    public static final String PASSWORD_VARIABLE = "BENCHMARK_KEY_PASSWORD";

    /** The format requires a password. Files made here are protected by being readable only by their owner. */
    static final String DEFAULT_PASSWORD = "benchmark";

    static final String TYPE = "PKCS12";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path file;
    private final SSLContext context;

    KeyFile(Path file, SSLContext context) {
        this.file = file;
        this.context = context;
    }

    /**
     * Reads a key file; the environment contains its password, if it has one of its own.
     *
     * @throws KeyFileException if the file cannot be used, or if others can read it
     */
    public static KeyFile read(Path file) throws KeyFileException {
        String password = System.getenv(PASSWORD_VARIABLE);
        return read(file, Objects.requireNonNullElse(password, DEFAULT_PASSWORD));
    }

    static KeyFile read(Path file, String password) throws KeyFileException {
        refuseIfOthersCanRead(file);
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(TYPE);
            store.load(in, password.toCharArray());
            return new KeyFile(file, context(file, store, password));
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            throw missing(file, e);
        } catch (IOException e) {
            if (e.getCause() instanceof GeneralSecurityException) {
                throw new KeyFileException(
                        file, "has a different password from the one in the variable " + PASSWORD_VARIABLE, e);
            }
            throw new KeyFileException(file, "is not a PKCS #12 file (" + e.getMessage() + ")", e);
        } catch (GeneralSecurityException e) {
            throw new KeyFileException(file, "cannot be used (" + e.getMessage() + ")", e);
        }
    }

    private static KeyFileException missing(Path file, Exception cause) {
        return new KeyFileException(
                file, "does not exist; 'bin/benchmark-worker --new-key " + file + "' creates one", cause);
    }

    private static void refuseIfOthersCanRead(Path file) throws KeyFileException {
        try {
            if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
                return;
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(permissions)) {
                throw new KeyFileException(
                        file,
                        "others can read it (" + PosixFilePermissions.toString(permissions) + "); do 'chmod 600 " + file
                                + "', and make a new one if anyone may have copied it",
                        null);
            }
        } catch (NoSuchFileException e) {
            throw missing(file, e);
        } catch (IOException e) {
            throw new KeyFileException(file, "cannot be read (" + e.getMessage() + ")", e);
        }
    }

    private static SSLContext context(Path file, KeyStore store, String password)
            throws GeneralSecurityException, KeyFileException {
        X509Certificate own = null;
        boolean authorities = false;
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                if (own != null) {
                    throw new KeyFileException(file, "has several private keys; keep only one of them", null);
                }
                own = (X509Certificate) store.getCertificate(alias);
            } else {
                authorities = true;
            }
        }
        if (own == null) {
            throw new KeyFileException(file, "has no private key", null);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password.toCharArray());
        SSLContext context = SSLContext.getInstance(PROTOCOL);
        TrustManager[] trusted = authorities ? signedBy(store) : new TrustManager[] {new PinnedCertificate(own)};
        context.init(keys.getKeyManagers(), trusted, null);
        return context;
    }

    private static TrustManager[] signedBy(KeyStore store) throws GeneralSecurityException {
        // Ignores the entry with the key: its certificate does not sign others.
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore authorities = KeyStore.getInstance(TYPE);
        try {
            authorities.load(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("An empty store needs no reading", e);
        }
        for (String alias : Collections.list(store.aliases())) {
            if (store.isCertificateEntry(alias)) {
                authorities.setCertificateEntry(alias, store.getCertificate(alias));
            }
        }
        factory.init(authorities);
        return factory.getTrustManagers();
    }

    /** Context for both ends. */
    public SSLContext context() {
        return context;
    }

    /** Parameters for the coordinator's end. */
    public SSLParameters parameters() {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(new String[] {PROTOCOL});
        return parameters;
    }

    /** Returns the path of the file and nothing of its content. */
    @Override
    public String toString() {
        return file.toString();
    }

    /**
     * Trusts one certificate and no other. Extends the extended class because its methods replace the check of host
     * names: one key pair serves all machines.
     */
    private static final class PinnedCertificate extends X509ExtendedTrustManager {

        private final X509Certificate pinned;

        PinnedCertificate(X509Certificate pinned) {
            this.pinned = pinned;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            if (chain.length == 0 || !chain[0].equals(pinned)) {
                throw new CertificateException("it has a different key; copy one key file to all machines");
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
