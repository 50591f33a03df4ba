package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withCommon;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withConsumer;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withProducer;
import static io.openmessaging.benchmark.driver.kafka.TestConfigs.withTransaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientPropertiesTest {

    private static final String ADDRESS = "bootstrap.servers=127.0.0.1:1\n";

    @Test
    void theZoneIsPutIntoTheClientIdOfEveryClient() {
        ClientProperties properties =
                ClientProperties.of(withCommon(ADDRESS + "client.id=bench-{zone.id}"), "run", "eu-1a");
        assertThat(properties.ofAdmin()).containsEntry("client.id", "bench-eu-1a");
        assertThat(properties.ofProducer(1)).containsEntry("client.id", "bench-eu-1a");
        assertThat(properties.ofConsumer(1, "g")).containsEntry("client.id", "bench-eu-1a");
    }

    @Test
    void theZoneIsPutIntoTheClientIdOfProducersOnly() {
        ClientProperties properties = ClientProperties.of(withProducer("client.id={zone.id}/{zone.id}"), "run", "z");
        assertThat(properties.ofProducer(1)).containsEntry("client.id", "z/z");
        assertThat(properties.ofConsumer(1, "g")).containsEntry("client.id", "run-consumer-1");
    }

    @Test
    void otherSettingsKeepTheirBraces() {
        ClientProperties properties = ClientProperties.of(withProducer("some.setting={zone.id}"), "run", "z");
        assertThat(properties.ofProducer(1)).containsEntry("some.setting", "{zone.id}");
    }

    @Test
    void aZoneThatIsNotKnownIsAnErrorOnlyWhereItIsAskedFor() {
        assertThat(ClientProperties.of(withProducer("client.id=p"), "run", null).ofProducer(1))
                .containsEntry("client.id", "p");
        assertThatThrownBy(() -> ClientProperties.of(withProducer("client.id={zone.id}"), "run", null))
                .hasMessage("client.id is '{zone.id}', but the system property zone.id is not set:"
                        + " start with -Dzone.id=…");
    }

    @Test
    void clientsWithoutAnIdAreNamedAfterTheRun() {
        ClientProperties properties = ClientProperties.of(withCommon(ADDRESS), "run", null);
        assertThat(properties.ofAdmin()).containsEntry("client.id", "run-admin");
        assertThat(properties.ofProducer(3)).containsEntry("client.id", "run-producer-3");
        assertThat(properties.ofConsumer(4, "g")).containsEntry("client.id", "run-consumer-4");
    }

    @Test
    void aClientsOwnSettingComesBeforeTheCommonOne() {
        KafkaConfig config = new KafkaConfig(
                1, "", ADDRESS + "request.timeout.ms=1", "request.timeout.ms=2", "request.timeout.ms=3", false);
        ClientProperties properties = ClientProperties.of(config, "run", null);
        assertThat(properties.ofAdmin()).containsEntry("request.timeout.ms", "1");
        assertThat(properties.ofProducer(0)).containsEntry("request.timeout.ms", "2");
        assertThat(properties.ofConsumer(0, "g")).containsEntry("request.timeout.ms", "3");
    }

    @Test
    void whereConsumersBeginIsTheDriversToSay() {
        ClientProperties properties = ClientProperties.of(withCommon(ADDRESS + "auto.offset.reset=none"), "run", null);
        assertThat(properties.ofConsumer(0, "g")).containsEntry("auto.offset.reset", "none");
        assertThat(properties.fromTheOldest().ofConsumer(0, "g")).containsEntry("auto.offset.reset", "earliest");
        assertThat(properties.fromTheEnd().ofConsumer(0, "g")).containsEntry("auto.offset.reset", "latest");
    }

    @Test
    void aCommonSettingGoesToTheClientsThatKnowItAndAnUnknownOneToAll() {
        ClientProperties properties = ClientProperties.of(
                withCommon(ADDRESS + "default.api.timeout.ms=5\nacks=all\nmy.setting=x"), "run", null);
        assertThat(properties.ofProducer(0))
                .doesNotContainKey("default.api.timeout.ms")
                .containsEntry("acks", "all")
                .containsEntry("my.setting", "x");
        assertThat(properties.ofConsumer(0, "g"))
                .containsEntry("default.api.timeout.ms", "5")
                .doesNotContainKey("acks")
                .containsEntry("my.setting", "x");
    }

    @Test
    void offsetsAreCommittedByTheDriverUnlessTheClientDoesIt() {
        ClientProperties byDriver = ClientProperties.of(withConsumer(""), "run", null);
        assertThat(byDriver.driverCommits()).isTrue();
        assertThat(byDriver.ofConsumer(0, "g")).containsEntry("enable.auto.commit", "false");

        ClientProperties byClient = ClientProperties.of(withConsumer("enable.auto.commit=true"), "run", null);
        assertThat(byClient.driverCommits()).isFalse();
        assertThat(byClient.ofConsumer(0, "g")).containsEntry("enable.auto.commit", "true");
    }

    @Test
    void groupsBelongToTheRunAndKeepThePrefixThatWasAskedFor() {
        assertThat(ClientProperties.of(withConsumer(""), "run", null).groupPrefix())
                .isEqualTo("run.");
        ClientProperties prefixed = ClientProperties.of(withConsumer("group.id=bench"), "run", null);
        assertThat(prefixed.groupPrefix()).isEqualTo("bench.run.");
        assertThat(prefixed.ofConsumer(0, "bench.run.t.s")).containsEntry("group.id", "bench.run.t.s");
    }

    @Test
    void transactionsHaveIdsOfTheRunAndAreReadOnceTheyAreCommitted() {
        ClientProperties properties =
                ClientProperties.of(withTransaction("transactional.id=mine", Duration.ofSeconds(1)), "run", null);
        assertThat(properties.ofProducer(3)).containsEntry("transactional.id", "mine.run.producer-3");
        assertThat(properties.ofConsumer(0, "g")).containsEntry("isolation.level", "read_committed");
        ClientProperties without = ClientProperties.of(withProducer(""), "run", null);
        assertThat(without.ofProducer(3)).doesNotContainKey("transactional.id");
        assertThat(without.ofConsumer(0, "g")).doesNotContainKey("isolation.level");
    }
}
