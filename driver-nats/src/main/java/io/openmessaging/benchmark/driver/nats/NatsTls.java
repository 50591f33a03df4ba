package io.openmessaging.benchmark.driver.nats;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Encryption of connections.
 *
 * @param trustStore file with the trusted certificates, JKS or PKCS#12; null for those of the JDK
 * @param trustStorePassword password of that file
 * @param keyStore file with the client's certificate and key, JKS or PKCS#12; null for none
 * @param keyStorePassword password of that file and its key
 * @param verifyHostname true if the server's certificate must name its host
 */
public record NatsTls(
        @Nullable String trustStore,
        @Nullable String trustStorePassword,
        @Nullable String keyStore,
        @Nullable String keyStorePassword,
        @Default("true") boolean verifyHostname)
        implements Checked {

    @Override
    public void check(Problems problems) {
        problems.readable("trustStore", trustStore);
        problems.readable("keyStore", keyStore);
    }

    /**
     * Returns the context of connections.
     *
     * @throws IOException if a store cannot be read, or not with its password
     */
    SSLContext context() throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trustStore == null ? null : store(trustStore, trustStorePassword));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (keyStore != null) {
            keys.init(store(keyStore, keyStorePassword), characters(keyStorePassword));
        }
        TrustManager[] trusted = trust.getTrustManagers();
        if (verifyHostname && trusted[0] instanceof X509ExtendedTrustManager certificates) {
            trusted = new TrustManager[] {new HostVerifier(certificates)};
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyStore == null ? null : keys.getKeyManagers(), trusted, null);
        return context;
    }

    private static KeyStore store(String file, @Nullable String password) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(new File(file), characters(password));
    }

    private static char @Nullable [] characters(@Nullable String password) {
        return password == null ? null : password.toCharArray();
    }

    /** Contains no passwords. */
    @Override
    public String toString() {
        return "NatsTls[trustStore=" + trustStore + ", keyStore=" + keyStore + ", verifyHostname=" + verifyHostname
                + "]";
    }

    /** Makes the JDK compare a certificate with the host, which the client does not request for its sockets. */
    private static final class HostVerifier extends X509ExtendedTrustManager {

        private final X509ExtendedTrustManager certificates;

        HostVerifier(X509ExtendedTrustManager certificates) {
            this.certificates = certificates;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            SSLSocket encrypted = (SSLSocket) socket;
            SSLParameters parameters = encrypted.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            encrypted.setSSLParameters(parameters);
            certificates.checkServerTrusted(chain, authType, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            certificates.checkServerTrusted(chain, authType, engine);
        }

        /** Without a socket there is no host to compare with. */
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            throw new CertificateException("the host of the certificate cannot be verified");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            certificates.checkClientTrusted(chain, authType, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            certificates.checkClientTrusted(chain, authType, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            certificates.checkClientTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return certificates.getAcceptedIssuers();
        }
    }
}
