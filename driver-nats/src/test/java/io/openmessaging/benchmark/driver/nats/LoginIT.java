package io.openmessaging.benchmark.driver.nats;

import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.TIMEOUT;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.assertGotAll;
import static io.openmessaging.benchmark.driver.testkit.NumberedMessages.sendAcknowledged;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.NKey;
import io.nats.client.support.JsonSerializable;
import io.nats.client.support.JwtUtils;
import io.openmessaging.benchmark.broker.nats.NatsLocalBroker;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.testkit.DriverSession;
import io.openmessaging.benchmark.driver.testkit.RecordingListener;
import io.openmessaging.benchmark.driver.testkit.TestBroker;
import io.openmessaging.benchmark.driver.testkit.TestBroker.Setup;
import io.openmessaging.benchmark.suite.LongSuite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins beyond a user with a password, which {@link SecurityIT} tests. */
@LongSuite("starts a server for each kind of login")
class LoginIT {

    private static final String REFUSED = "Authorization Violation";

    private static final String LIMITS = "{\"subs\":-1,\"data\":-1,\"payload\":-1,\"imports\":-1,\"exports\":-1,"
            + "\"wildcards\":true,\"conn\":-1,\"leaf\":-1,\"mem_storage\":STREAMS,\"disk_storage\":STREAMS,"
            + "\"streams\":STREAMS,\"consumer\":STREAMS}";

    @TempDir
    Path folder;

    private final SecureRandom random = new SecureRandom();

    @Test
    void aTokenIsALogin() throws Exception {
        onlyTheRightLoginIsServed(
                Map.of("authorization", "{ token: \"of-the-test\" }"),
                Map.of("token", "of-the-test"),
                Map.of("token", "guessed"));
    }

    @Test
    void anNkeyIsALogin() throws Exception {
        NKey user = NKey.createUser(random);
        NKey other = NKey.createUser(random);
        onlyTheRightLoginIsServed(
                Map.of("authorization", "{ users: [ { nkey: " + new String(user.getPublicKey()) + " } ] }"),
                Map.of("nkeySeed", new String(user.getSeed())),
                Map.of("nkeySeed", new String(other.getSeed())));
    }

    @Test
    void aJwtIsALogin() throws Exception {
        NKey operator = NKey.createOperator(random);
        NKey system = NKey.createAccount(random);
        NKey account = NKey.createAccount(random);
        NKey unknown = NKey.createAccount(random);
        Map<String, String> settings = Map.of(
                "operator",
                issued(operator, operator, "{\"type\":\"operator\",\"version\":2}"),
                "resolver",
                "MEMORY",
                "system_account",
                name(system),
                "resolver_preload",
                "{ " + name(system) + ": " + issued(operator, system, account(0)) + ", " + name(account) + ": "
                        + issued(operator, account, account(-1)) + " }");
        onlyTheRightLoginIsServed(
                settings,
                Map.of("credentials", credentials("right.creds", account)),
                Map.of("credentials", credentials("wrong.creds", unknown)));
    }

    /**
     * Returns the claims of an account.
     *
     * @param streams limit of JetStream; 0 for the system account, which must not have any, -1 for no limit
     */
    private static String account(int streams) {
        return "{\"limits\":" + LIMITS.replace("STREAMS", Integer.toString(streams))
                + ",\"default_permissions\":{\"pub\":{},\"sub\":{}},\"type\":\"account\"," + "\"version\":2}";
    }

    private static String name(NKey key) throws Exception {
        return new String(key.getPublicKey());
    }

    private static String issued(NKey issuer, NKey subject, String claims) throws Exception {
        JsonSerializable body = () -> claims;
        return JwtUtils.issueJWT(
                issuer, name(subject), "test", null, Instant.now().getEpochSecond(), name(issuer), body);
    }

    private String credentials(String file, NKey account) throws Exception {
        NKey user = NKey.createUser(random);
        String jwt = JwtUtils.issueUserJWT(account, name(account), name(user));
        String text = String.format(JwtUtils.NATS_USER_JWT_FORMAT, jwt, new String(user.getSeed()));
        return Files.writeString(folder.resolve(file), text).toString();
    }

    private static void onlyTheRightLoginIsServed(
            Map<String, String> settings, Map<String, ?> right, Map<String, ?> wrong) throws Exception {
        NatsBenchmarkDriver driver = new NatsBenchmarkDriver();
        try (TestBroker<NatsConfig> broker = TestBroker.start(driver, new NatsLocalBroker(), Setup.with(settings))) {
            try (DriverSession session = DriverSession.open(driver, broker.reach(Configs.of(right)), TIMEOUT)) {
                TopicSpec topic = session.topic(1);
                RecordingListener listener = new RecordingListener();
                session.consumer(topic, "s", listener);
                sendAcknowledged(session.producer(topic), 0, 20, 100);
                assertGotAll(List.of(listener), 0, 20);
            }
            for (Map<String, ?> login : List.<Map<String, ?>>of(wrong, Map.of())) {
                assertThatThrownBy(() -> DriverSession.open(driver, broker.reach(Configs.of(login)), TIMEOUT))
                        .isInstanceOf(DriverException.class)
                        .hasMessageContaining(REFUSED)
                        .hasMessageNotContaining("guessed");
            }
        }
    }
}
