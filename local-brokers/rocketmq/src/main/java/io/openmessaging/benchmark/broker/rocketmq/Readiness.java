package io.openmessaging.benchmark.broker.rocketmq;

import com.alibaba.fastjson2.JSON;
import io.openmessaging.benchmark.broker.launch.LoopbackPorts;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQClientAPIImpl;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.topic.TopicValidator;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the servers as a client sees them. Without a limit: the starter has one.
 *
 * @param nameServer its address
 */
record Readiness(String nameServer) {

    private static final int POLL_MS = 20;
    private static final int RETRY_MS = 200;
    private static final int CALL_LIMIT_MS = 5_000;

    private static final String PROBE_TOPIC = "benchmark-readiness";

    void awaitNameServer() throws InterruptedException {
        int port = Integer.parseInt(nameServer.substring(nameServer.lastIndexOf(':') + 1));
        while (!LoopbackPorts.listens(port)) {
            Thread.sleep(POLL_MS);
        }
    }

    /** A topic can be created, the name server knows the way to it, and it can be deleted. */
    void awaitBroker(BrokerController broker) throws InterruptedException {
        MQClientAPIImpl client = new MQClientAPIImpl(
                new NettyClientConfig(), null, signature(broker.getAuthConfig()), new ClientConfig());
        client.updateNameServerAddressList(nameServer);
        client.start();
        try {
            while (!serves(client, broker.getBrokerAddr())) {
                Thread.sleep(RETRY_MS);
                // By itself it tries again only after ten seconds.
                broker.registerBrokerAll(true, false, true);
            }
        } finally {
            client.shutdown();
        }
    }

    /** As whom brokers speak to each other; null where nobody is asked for a name. */
    private static @Nullable RPCHook signature(AuthConfig config) {
        return config.isAuthenticationEnabled()
                ? new AclClientRPCHook(
                        JSON.parseObject(config.getInnerClientAuthenticationCredentials(), SessionCredentials.class))
                : null;
    }

    private boolean serves(MQClientAPIImpl client, String broker) throws InterruptedException {
        try {
            TopicConfig topic = new TopicConfig(PROBE_TOPIC, 1, 1);
            client.createTopic(broker, TopicValidator.AUTO_CREATE_TOPIC_KEY_TOPIC, topic, CALL_LIMIT_MS);
            client.getTopicRouteInfoFromNameServer(PROBE_TOPIC, CALL_LIMIT_MS);
            client.deleteTopicInBroker(broker, PROBE_TOPIC, CALL_LIMIT_MS);
            client.deleteTopicInNameServer(nameServer, PROBE_TOPIC, CALL_LIMIT_MS);
            return true;
        } catch (MQClientException | MQBrokerException | RemotingException e) {
            // Not yet.
            return false;
        }
    }
}
