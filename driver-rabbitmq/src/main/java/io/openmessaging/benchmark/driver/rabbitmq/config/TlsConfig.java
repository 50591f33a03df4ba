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
 * How {@code amqps} connections, and stream connections beside them, trust and identify themselves.
 *
 * @param trustStore a PKCS#12 or JKS file with the certificates to trust; null for those that Java trusts
 * @param trustStorePassword opens it; null for none
 * @param keyStore a PKCS#12 or JKS file with the client's own certificate; null for none
 * @param keyStorePassword opens it, and its key; null for none
 * @param verifyHostname whether the broker's certificate has to name its host
 * @param trustAll whether any certificate will do
 * @param login whether the client logs in with its own certificate (the mechanism EXTERNAL) instead of a user and a
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
        problems.require(!login || keyStore != null, "keyStore", "has the certificate to log in with", null);
        problems.require(
                !trustAll || trustStore == null, "trustStore", "has no effect with trustAll: true", trustStore);
    }

    /** Whether the host of the certificate has to be the one connected to. */
    public boolean verifiesHostname() {
        return verifyHostname && !trustAll;
    }

    /**
     * For AMQP.
     *
     * @throws IOException if a store cannot be read, or not with its password
     */
    public SSLContext context() throws GeneralSecurityException, IOException {
        return ((JdkSslContext) nettyContext()).context();
    }

    /** The same for streams. */
    public SslContext nettyContext() throws GeneralSecurityException, IOException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(trust())
                .keyManager(keys())
                .endpointIdentificationAlgorithm(verifiesHostname() ? HOST_OF_CERTIFICATE : "")
                .build();
    }

    /** Null for what Java trusts. */
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

    /** Without passwords. */
    @Override
    public String toString() {
        return "TlsConfig[trustStore=" + trustStore + ", keyStore=" + keyStore + ", verifyHostname=" + verifyHostname
                + ", trustAll=" + trustAll + ", login=" + login + "]";
    }
}
