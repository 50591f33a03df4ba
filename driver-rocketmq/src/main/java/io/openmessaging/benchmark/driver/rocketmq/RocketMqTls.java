package io.openmessaging.benchmark.driver.rocketmq;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Problems;
import org.apache.rocketmq.remoting.netty.TlsSystemConfig;
import org.jspecify.annotations.Nullable;

/**
 * Encryption of connections. RocketMQ's remoting client has one setting per process, here for all clients of one
 * driver; its gRPC client accepts any certificate and presents none.
 *
 * @param trustCertPath PEM file with the trusted certificates; null for any
 * @param certPath PEM file with the client's own certificate; null for none
 * @param keyPath PEM file with its key, not encrypted; null for none
 */
public record RocketMqTls(
        @Nullable String trustCertPath,
        @Nullable String certPath,
        @Nullable String keyPath) implements Checked {

    @Override
    public void check(Problems problems) {
        problems.readable("trustCertPath", trustCertPath);
        problems.readable("certPath", certPath);
        problems.readable("keyPath", keyPath);
        problems.require(
                (certPath == null) == (keyPath == null),
                keyPath == null ? "keyPath" : "certPath",
                "must also be set",
                null);
    }

    /** Applies the settings to the remoting clients created from now on. */
    void enforce() {
        TlsSystemConfig.tlsTestModeEnable = false;
        TlsSystemConfig.tlsClientAuthServer = trustCertPath != null;
        TlsSystemConfig.tlsClientTrustCertPath = trustCertPath;
        TlsSystemConfig.tlsClientCertPath = certPath;
        TlsSystemConfig.tlsClientKeyPath = keyPath;
    }
}
