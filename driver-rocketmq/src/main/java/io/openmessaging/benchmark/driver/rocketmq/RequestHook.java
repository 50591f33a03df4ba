package io.openmessaging.benchmark.driver.rocketmq;

import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.SerializeType;
import org.jspecify.annotations.Nullable;

/**
 * Adds the user's signature and the header format to each request of a remoting client. RocketMQ itself takes the
 * format from a system property, for the whole process.
 */
final class RequestHook implements RPCHook {

    private final SerializeType headerFormat;
    private final @Nullable RPCHook signature;

    RequestHook(RocketMqConfig config) {
        this.headerFormat = config.serializeType();
        this.signature = config.accessKey() == null || config.secretKey() == null
                ? null
                : new AclClientRPCHook(new SessionCredentials(config.accessKey(), config.secretKey()));
    }

    @Override
    public void doBeforeRequest(String remoteAddress, RemotingCommand request) {
        request.setSerializeTypeCurrentRPC(headerFormat);
        if (signature != null) {
            signature.doBeforeRequest(remoteAddress, request);
        }
    }

    @Override
    public void doAfterResponse(String remoteAddress, RemotingCommand request, @Nullable RemotingCommand response) {
        // Nothing to do for either part.
    }
}
