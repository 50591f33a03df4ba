package io.openmessaging.benchmark.broker.launch;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions.Security;
import io.openmessaging.benchmark.broker.fetch.Tool;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a local broker and its clients, for TLS or a login: a user with a password, a certificate of the
 * broker, one of a client, and the authority that signed both. All are created anew for each broker, in a folder that
 * only its owner can read, and are removed with the broker's folder. A broker without security has none of them.
 *
 * @param folder the folder of the files, absolute
 * @param password the password of {@link #USER}, and of all stores; empty without security
 */
public record Credentials(Path folder, String password, Security security) {

    /** The user who logs in; also the name in the client's certificate. */
    public static final String USER = "benchmark";

    private static final int PASSWORD_BYTES = 16;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String VALID_DAYS = "3650";
    private static final int PEM_COLUMNS = 64;
    private static final String STORE_TYPE = "PKCS12";

    /** The store of this key is deleted before the others are written, so that nobody can sign anything else. */
    private static final String AUTHORITY = "authority";

    private static final String BROKER = "broker";
    private static final String CLIENT = "client";

    /** Creates the credentials; the JDK's own tool creates the certificates. */
    static Credentials make(Path folder, String host, Security security)
            throws LocalBrokerException, InterruptedException {
        if (!security.any()) {
            return new Credentials(folder.toAbsolutePath(), "", security);
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Credentials made =
                new Credentials(folder.toAbsolutePath(), HexFormat.of().formatHex(random), security);
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(made.passwordFile(), made.password + "\n");
            made.makeCertificates(host);
            return made;
        } catch (IOException | GeneralSecurityException e) {
            throw new LocalBrokerException("cannot make certificates in " + folder + ": " + e, e);
        }
    }

    private void makeCertificates(String host)
            throws IOException, GeneralSecurityException, LocalBrokerException, InterruptedException {
        Path all = folder.resolve(AUTHORITY + ".p12");
        String address = (Character.isDigit(host.charAt(host.length() - 1)) ? "ip:" : "dns:") + host;
        makePair(all, AUTHORITY, "-dname", "CN=authority of a local broker", "-ext", "bc:c");
        makePair(
                all,
                BROKER,
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1," + address,
                "-signer",
                AUTHORITY);
        makePair(all, CLIENT, "-dname", "CN=" + USER, "-ext", "eku=clientAuth", "-signer", AUTHORITY);
        KeyStore keys = load(all);
        Files.delete(all);
        Certificate authority = keys.getCertificate(AUTHORITY);
        KeyStore trusted = emptyStore();
        trusted.setCertificateEntry(AUTHORITY, authority);
        write(trustStore(), trusted);
        write(trustedCertificates(), "CERTIFICATE", authority.getEncoded());
        for (String owner : List.of(BROKER, CLIENT)) {
            Key key = keys.getKey(owner, password.toCharArray());
            KeyStore own = emptyStore();
            own.setKeyEntry(owner, key, password.toCharArray(), keys.getCertificateChain(owner));
            write(folder.resolve(owner + ".p12"), own);
            write(
                    folder.resolve(owner + ".crt"),
                    "CERTIFICATE",
                    keys.getCertificate(owner).getEncoded());
            write(folder.resolve(owner + ".key"), "PRIVATE KEY", key.getEncoded());
        }
    }

    private void makePair(Path store, String alias, String... more)
            throws IOException, LocalBrokerException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-genkeypair", "-alias", alias));
        arguments.addAll(List.of("-keyalg", "RSA", "-keysize", "2048", "-validity", VALID_DAYS));
        arguments.addAll(List.of("-storetype", STORE_TYPE, "-keystore", store.toString()));
        arguments.addAll(List.of("-storepass:file", passwordFile().toString()));
        arguments.addAll(List.of(more));
        List<String> keytool = List.of(ProgramPath.ofThisJava("keytool"));
        new Tool("keytool", keytool, Map.of(), folder, LIMIT).run(arguments.toArray(String[]::new));
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(STORE_TYPE);
        store.load(null, null);
        return store;
    }

    private void write(Path file, KeyStore store) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
    }

    private static void write(Path file, String type, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(PEM_COLUMNS, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        Files.writeString(file, "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    /** Returns whether connections are encrypted. */
    public boolean tls() {
        return security.tls();
    }

    /** Returns whether clients have to log in. */
    public boolean login() {
        return security.login();
    }

    /** Returns the lines of a driver file for the login; empty without a login. */
    public String loginLines(String userKey, String passwordKey) {
        return login() ? userKey + ": " + USER + "\n" + passwordKey + ": " + passwordReference() + "\n" : "";
    }

    /**
     * Returns the lines of a driver file for TLS; empty without TLS.
     *
     * @param trustStoreKey the driver's key for the path of the store
     */
    public String tlsLines(String trustStoreKey) {
        return tls()
                ? "tls:\n  " + trustStoreKey + ": " + trustStore() + "\n  trustStorePassword: " + passwordReference()
                        + "\n"
                : "";
    }

    /** Returns the context of a client that trusts the broker; null without TLS. */
    public @Nullable SSLContext sslContext() throws LocalBrokerException {
        if (!tls()) {
            return null;
        }
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trustStore()));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new LocalBrokerException("cannot read " + trustStore() + ": " + e, e);
        }
    }

    private KeyStore load(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(STORE_TYPE);
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, password.toCharArray());
        }
        return keys;
    }

    /** Returns the file with the password, for reference by a driver file. */
    public Path passwordFile() {
        return folder.resolve("password");
    }

    /** Returns the expression by which a driver file refers to the password. */
    public String passwordReference() {
        return reference(passwordFile());
    }

    /** Writes another secret to a file of this name, and returns the expression by which a driver file refers to it. */
    public String keep(String name, String secret) throws LocalBrokerException {
        return reference(BrokerLaunch.write(folder.resolve(name), secret + "\n"));
    }

    private static String reference(Path file) {
        return "${file:" + file + "}";
    }

    /** Returns the PKCS#12 store with the certificate of the authority. */
    public Path trustStore() {
        return folder.resolve("trusted.p12");
    }

    /** Returns the PEM file with the certificate of the authority. */
    public Path trustedCertificates() {
        return folder.resolve("trusted.crt");
    }

    /** Returns the PKCS#12 store with the broker's key and certificate. */
    public Path brokerStore() {
        return folder.resolve("broker.p12");
    }

    /** Returns the PEM file with the broker's certificate. */
    public Path brokerCertificate() {
        return folder.resolve("broker.crt");
    }

    /** Returns the PEM file with the broker's key, not encrypted. */
    public Path brokerKey() {
        return folder.resolve("broker.key");
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "Credentials[folder=" + folder + "]";
    }
}
