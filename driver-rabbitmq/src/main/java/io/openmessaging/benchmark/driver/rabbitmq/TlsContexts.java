package io.openmessaging.benchmark.driver.rabbitmq;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads stores, in the forms that the two clients take. */
final class TlsContexts {

    private static final String HOST_OF_CERTIFICATE = "HTTPS";

    private TlsContexts() {}

    /** For AMQP. */
    static SSLContext jdk(TlsConfig config) throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys(config), trust(config), null);
        return context;
    }

    /** For streams. */
    static SslContext netty(TlsConfig config) throws GeneralSecurityException, IOException {
        SslContextBuilder builder = SslContextBuilder.forClient();
        TrustManager[] trust = trust(config);
        if (trust != null) {
            builder.trustManager(trust[0]);
        }
        KeyManager[] keys = keys(config);
        if (keys != null) {
            builder.keyManager(keys[0]);
        }
        boolean verify = config.verifyHostname() && !config.trustAll();
        return builder.endpointIdentificationAlgorithm(verify ? HOST_OF_CERTIFICATE : "")
                .build();
    }

    /** Null for what Java trusts. */
    private static TrustManager @Nullable [] trust(TlsConfig config) throws GeneralSecurityException, IOException {
        if (config.trustAll()) {
            return InsecureTrustManagerFactory.INSTANCE.getTrustManagers();
        }
        if (config.trustStore() == null) {
            return null;
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store(config.trustStore(), config.trustStorePassword()));
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] keys(TlsConfig config) throws GeneralSecurityException, IOException {
        if (config.keyStore() == null) {
            return null;
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store(config.keyStore(), config.keyStorePassword()), characters(config.keyStorePassword()));
        return factory.getKeyManagers();
    }

    private static KeyStore store(String file, @Nullable String password) throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(new File(file), characters(password));
    }

    private static char @Nullable [] characters(@Nullable String password) {
        return password == null ? null : password.toCharArray();
    }
}
