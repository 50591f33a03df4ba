package io.openmessaging.benchmark.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.broker.LocalBrokerException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerSettingsTest {

    @Test
    void withoutSettingsMessagesGoToTheDiskByNio() throws Exception {
        BrokerSettings settings = BrokerSettings.of(Map.of());

        assertThat(settings.isPersistent()).isTrue();
        assertThat(settings.journalType()).isEqualTo("NIO");
        assertThat(settings.isSecured()).isFalse();
        assertThat(settings.ofCore()).containsEntry("max-disk-usage", "-1");
        assertThat(settings.ofAddresses())
                .containsOnly(Map.entry("auto-create-addresses", "false"), Map.entry("auto-create-queues", "false"));
    }

    @Test
    void whatIsGivenOverridesOurs() throws Exception {
        BrokerSettings settings = BrokerSettings.of(
                Map.of("journal-type", "ASYNCIO", "auto-create-queues", "true", "max-size-bytes", "10M"));

        assertThat(settings.journalType()).isEqualTo("ASYNCIO");
        assertThat(settings.ofCore()).containsEntry("journal-type", "ASYNCIO").doesNotContainKey("max-size-bytes");
        assertThat(settings.ofAddresses())
                .containsEntry("auto-create-queues", "true")
                .containsEntry("max-size-bytes", "10M")
                .doesNotContainKey("journal-type");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "journal-type       | NIO   | local journal-datasync=true large-message-sync=true",
                "journal-datasync   | false | local journal-datasync=false large-message-sync=true",
                "large-message-sync | false | local journal-datasync=true large-message-sync=false",
            })
    void theNameTellsWhatTheManagementDoesNotReport(String key, String value, String name) throws Exception {
        assertThat(BrokerSettings.of(Map.of(key, value)).brokerName()).isEqualTo(name);
    }

    @Test
    void anUnknownKeyIsRefusedWithTheListOfThoseThatAreKnown() {
        assertThatThrownBy(() -> BrokerSettings.of(Map.of("jurnal-type", "NIO")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessageStartingWith("the local Artemis has no setting 'jurnal-type'; it has acceptor-parameters,"
                        + " address-full-policy, auto-create-addresses, ")
                .hasMessageContaining(", journal-type, ")
                .hasMessageContaining(", global-max-size, ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "persistence-enabled | yes | true or false",
                "journal-type | AIO | NIO, ASYNCIO or MAPPED",
                "journal-min-files | many | a number",
                "global-max-size | 1 TB | a size such as 1048576, 512K or 10M",
                "address-full-policy | drop | PAGE, BLOCK, FAIL or DROP",
                "protocols | AMQP | CORE or CORE,AMQP",
                "acceptor-parameters | sslEnabled | key=value pairs, separated by semicolons",
            })
    void aValueOfAnotherKindIsRefused(String key, String value, String rule) {
        assertThatThrownBy(() -> BrokerSettings.of(Map.of(key, value)))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("the setting '" + key + "' of the local Artemis must be " + rule + ", got '" + value + "'");
    }

    @Test
    void securityNeedsSomeoneWhoMayLogIn() {
        assertThatThrownBy(() -> BrokerSettings.of(Map.of("security-enabled", "true", "user", "me")))
                .isInstanceOf(LocalBrokerException.class)
                .hasMessage("with 'security-enabled', the local Artemis needs the settings 'user' and 'password' for"
                        + " the login");
    }

    @Test
    void thePasswordIsNotKept() throws Exception {
        Map<String, String> given = Map.of("security-enabled", "true", "user", "me", "password", "secret");

        assertThat(BrokerSettings.of(given).toKeep())
                .containsEntry("user", "me")
                .doesNotContainKey("password")
                .doesNotContainValue("secret");
    }
}
