package io.openmessaging.benchmark.driver.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;

class ClusterTest {

    /** The error as reported by a broker 5.5.0. */
    private static final MQBrokerException DISTURBED = new MQBrokerException(
            ResponseCode.SYSTEM_ERROR,
            "java.util.ConcurrentModificationException, java.base/java.util.HashMap$HashIterator.nextNode(HashMap.java:1597)");

    private final List<Long> limitsMs = new ArrayList<>();

    /** Returns a call that fails this number of times before it answers. */
    private Cluster.Call<String> call(int failures, Exception failure) {
        return timeoutMs -> {
            limitsMs.add(timeoutMs);
            if (limitsMs.size() <= failures) {
                throw failure;
            }
            return "answer";
        };
    }

    @Test
    void aBrokerThatWasDisturbedIsAskedAgain() throws Exception {
        assertThat(Cluster.repeated(Cluster::isDisturbed, call(Cluster.ATTEMPTS - 1, DISTURBED))
                        .run(7))
                .isEqualTo("answer");
        assertThat(limitsMs).hasSize(Cluster.ATTEMPTS).containsOnly(7L);
    }

    @Test
    void aBrokerThatIsAlwaysDisturbedIsNotAskedForever() {
        assertThatThrownBy(() -> Cluster.repeated(Cluster::isDisturbed, call(Integer.MAX_VALUE, DISTURBED))
                        .run(7))
                .isSameAs(DISTURBED);
        assertThat(limitsMs).hasSize(Cluster.ATTEMPTS);
    }

    @Test
    void anotherErrorIsTheAnswer() {
        MQBrokerException refusal = new MQBrokerException(ResponseCode.NO_PERMISSION, "no permission");
        assertThatThrownBy(() ->
                        Cluster.repeated(Cluster::isDisturbed, call(1, refusal)).run(7))
                .isSameAs(refusal);
        assertThat(limitsMs).hasSize(1);
    }

    @Test
    void aConnectionThatWasNotMadeIsTriedAgain() throws Exception {
        RemotingConnectException slow = new RemotingConnectException("");
        assertThat(Cluster.repeated(Cluster::isNotConnected, call(Cluster.ATTEMPTS - 1, slow))
                        .run(7))
                .isEqualTo("answer");
        assertThat(limitsMs).hasSize(Cluster.ATTEMPTS);
    }

    @Test
    void aNameServerThatIsNotThereIsNotAskedForever() {
        RemotingConnectException refused = new RemotingConnectException("");
        assertThatThrownBy(() -> Cluster.repeated(Cluster::isNotConnected, call(Integer.MAX_VALUE, refused))
                        .run(7))
                .isSameAs(refused);
        assertThat(limitsMs).hasSize(Cluster.ATTEMPTS);
    }
}
