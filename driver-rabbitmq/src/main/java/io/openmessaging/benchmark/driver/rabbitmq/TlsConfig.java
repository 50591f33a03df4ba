package io.openmessaging.benchmark.driver.rabbitmq;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How {@code amqps} connections, and stream connections beside them, trust and identify themselves.
 *
 * @param trustStore a PKCS#12 or JKS file with the certificates to trust; null for those that Java trusts
 * @param trustStorePassword opens it; null for none
 * @param keyStore a PKCS#12 or JKS file with the client's own certificate; null for none
 * @param keyStorePassword opens it, and its key; null for none
 * @param verifyHostname whether the broker's certificate has to name its host; true unless given
 * @param trustAll whether any certificate will do; false unless given
 */
public record TlsConfig(
        @Nullable String trustStore,
        @Nullable String trustStorePassword,
        @Nullable String keyStore,
        @Nullable String keyStorePassword,
        Boolean verifyHostname,
        boolean trustAll)
        implements Checked {

    /** Trusts what Java trusts, and has no certificate of its own. */
    static final TlsConfig DEFAULT = new TlsConfig(null, null, null, null, null, false);

    /** Puts defaults in the place of what is absent. */
    public TlsConfig(
            @Nullable String trustStore,
            @Nullable String trustStorePassword,
            @Nullable String keyStore,
            @Nullable String keyStorePassword,
            @Nullable Boolean verifyHostname,
            boolean trustAll) {
        this.trustStore = trustStore;
        this.trustStorePassword = trustStorePassword;
        this.keyStore = keyStore;
        this.keyStorePassword = keyStorePassword;
        this.verifyHostname = verifyHostname == null || verifyHostname;
        this.trustAll = trustAll;
    }

    @Override
    public void check(Problems problems) {
        requireFile(problems, "trustStore", trustStore);
        requireFile(problems, "keyStore", keyStore);
        problems.require(
                !trustAll || trustStore == null, "trustStore", "has no effect with trustAll: true", trustStore);
    }

    private static void requireFile(Problems problems, String key, @Nullable String file) {
        problems.require(file == null || Files.isReadable(Path.of(file)), key, "must be a file that can be read", file);
    }

    /** Without passwords. */
    @Override
    public String toString() {
        return "TlsConfig[trustStore=" + trustStore + ", keyStore=" + keyStore + ", verifyHostname=" + verifyHostname
                + ", trustAll=" + trustAll + "]";
    }
}
