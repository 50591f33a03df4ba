package io.openmessaging.benchmark.driver.redis;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import java.io.File;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * Encryption of connections.
 *
 * @param trustStore file with the trusted certificates, JKS or PKCS#12; null for those of the JDK
 * @param trustStorePassword password of that file
 * @param keyStore file with the client's certificate and key, PKCS#12; null for none
 * @param keyStorePassword password of that file
 * @param verify checks made on the server's certificate
 */
public record RedisTls(
        @Nullable String trustStore,
        @Nullable String trustStorePassword,
        @Nullable String keyStore,
        @Nullable String keyStorePassword,
        @Default("FULL") Verify verify)
        implements Checked {

    /** The checks made on a server's certificate. */
    public enum Verify {
        /** Signer and host name. */
        FULL,
        /** Signer only. */
        CA,
        /** None. */
        INSECURE
    }

    @Override
    public void check(Problems problems) {
        problems.readable("trustStore", trustStore);
        problems.readable("keyStore", keyStore);
    }

    SslOptions options() {
        SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.valueOf(verify.name()));
        if (trustStore != null) {
            options.trustStoreType(storeType(trustStore)).truststore(new File(trustStore), chars(trustStorePassword));
        }
        if (keyStore != null) {
            options.keyStoreType(storeType(keyStore)).keystore(new File(keyStore), chars(keyStorePassword));
        }
        return options.build();
    }

    private static String storeType(String file) {
        return file.toLowerCase(Locale.ROOT).endsWith(".jks") ? "JKS" : "PKCS12";
    }

    private static char[] chars(@Nullable String password) {
        return password == null ? new char[0] : password.toCharArray();
    }
}
