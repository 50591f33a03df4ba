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
 * How connections are encrypted.
 *
 * @param trustStore file with the certificates to be trusted, in Java's form or PKCS#12; null for those of the JDK
 * @param trustStorePassword the password of that file
 * @param keyStore file with the certificate and key that the client shows, PKCS#12; null for none
 * @param keyStorePassword the password of that file
 * @param verify what of the server's certificate is verified
 */
public record RedisTls(
        @Nullable String trustStore,
        @Nullable String trustStorePassword,
        @Nullable String keyStore,
        @Nullable String keyStorePassword,
        @Default("FULL") Verify verify)
        implements Checked {

    /** What of a server's certificate is verified. */
    public enum Verify {
        /** Who signed it and the host name. */
        FULL,
        /** Who signed it. */
        CA,
        /** Nothing. */
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
