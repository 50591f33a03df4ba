package io.openmessaging.benchmark.driver.rabbitmq.config;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of {@code amqps} connections, and of the stream connections used with them: trust and identity.
 *
 * @param trustStore PKCS#12 or JKS file with trusted certificates; null for those that Java trusts
 * @param trustStorePassword password of the trust store; null for none
 * @param keyStore PKCS#12 or JKS file with the client's own certificate; null for none
 * @param keyStorePassword password of the key store and its key; null for none
 * @param verifyHostname true if the broker's certificate must name its host
 * @param trustAll true to accept any certificate
 * @param login true if the client logs in with its own certificate (the mechanism EXTERNAL) instead of a user and a
 *     password
 */
public record TlsConfig(
        @Nullable String trustStore,
        @Nullable String trustStorePassword,
        @Nullable String keyStore,
        @Nullable String keyStorePassword,
        @Default("true") boolean verifyHostname,
        boolean trustAll,
        boolean login)
        implements Checked {

    private static final String HOST_OF_CERTIFICATE = "HTTPS";

    @Override
    public void check(Problems problems) {
        problems.readable("trustStore", trustStore);
        problems.readable("keyStore", keyStore);
        problems.require(!login || keyStore != null, "keyStore", "must have the certificate for login: true", null);
        problems.require(
                !trustAll || trustStore == null, "trustStore", "has no effect with trustAll: true", trustStore);
    }

    /** Returns whether the certificate must name the host connected to. */
    public boolean verifiesHostname() {
        return verifyHostname && !trustAll;
    }

    /**
     * Context for AMQP.
     *
     * @throws IOException if a store cannot be read, or not with its password
     */
    public SSLContext context() throws GeneralSecurityException, IOException {
        return ((JdkSslContext) nettyContext()).context();
    }

    /** Context for streams. */
    public SslContext nettyContext() throws GeneralSecurityException, IOException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(trust())
                .keyManager(keys())
                .endpointIdentificationAlgorithm(verifiesHostname() ? HOST_OF_CERTIFICATE : "")
                .build();
    }

    /** Null for the certificates that Java trusts. */
    private @Nullable TrustManagerFactory trust() throws GeneralSecurityException, IOException {
        if (trustAll || trustStore == null) {
            return trustAll ? InsecureTrustManagerFactory.INSTANCE : null;
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStore.getInstance(new File(trustStore), characters(trustStorePassword)));
        return factory;
    }

    private @Nullable KeyManagerFactory keys() throws GeneralSecurityException, IOException {
        if (keyStore == null) {
            return null;
        }
        char[] password = characters(keyStorePassword);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStore.getInstance(new File(keyStore), password), password);
        return factory;
    }

    private static char @Nullable [] characters(@Nullable String password) {
        return password == null ? null : password.toCharArray();
    }

    /** Contains no passwords. */
    @Override
    public String toString() {
        return "TlsConfig[trustStore=" + trustStore + ", keyStore=" + keyStore + ", verifyHostname=" + verifyHostname
                + ", trustAll=" + trustAll + ", login=" + login + "]";
    }
}
