package io.openmessaging.benchmark.broker.rocketmq;

import com.alibaba.fastjson2.JSONObject;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.proxy.ProxyStartup;
import org.apache.rocketmq.proxy.config.Configuration;
import org.apache.rocketmq.proxy.config.ConfigurationManager;
import org.apache.rocketmq.proxy.config.ProxyConfig;
import org.apache.rocketmq.proxy.grpc.interceptor.ContextInterceptor;
import org.apache.rocketmq.proxy.grpc.interceptor.GlobalExceptionInterceptor;
import org.apache.rocketmq.proxy.grpc.interceptor.HeaderInterceptor;
import org.apache.rocketmq.proxy.grpc.v2.GrpcMessagingApplication;
import org.apache.rocketmq.proxy.processor.DefaultMessagingProcessor;
import org.apache.rocketmq.proxy.processor.MessagingProcessor;
import org.apache.rocketmq.remoting.common.TlsMode;
import org.apache.rocketmq.remoting.netty.TlsSystemConfig;

/**
 * RocketMQ's proxy in local mode, assembled from its parts: its own startup listens on every interface, and on a second
 * port that nothing here needs.
 */
record ProxyServer(MessagingProcessor processor, GrpcMessagingApplication application, Server server) {

    /** The default is 20 s. A PushConsumer requests the maximum, and takes as long to close. */
    private static final int MOST_WAIT_FOR_MESSAGES_MS = 1_000;

    /** The default is 5 s, and a SimpleConsumer takes as long to close as its last request waits. */
    private static final int LEAST_WAIT_FOR_MESSAGES_MS = 100;

    /** Creates the proxy of a broker that is created and not started yet. */
    static ProxyServer around(BrokerController broker, Path brokerConfig, InetSocketAddress address) throws Exception {
        Path config = Files.writeString(
                brokerConfig.resolveSibling("proxy.json"),
                config(broker, address.getPort()).toString());
        System.setProperty(Configuration.CONFIG_PATH_PROPERTY, config.toString());
        ConfigurationManager.initEnv();
        ConfigurationManager.initConfig();
        MessagingProcessor processor = DefaultMessagingProcessor.createForLocalMode(broker);
        GrpcMessagingApplication application = GrpcMessagingApplication.create(processor);
        return new ProxyServer(processor, application, server(application, address));
    }

    private static JSONObject config(BrokerController broker, int port) {
        // Users and permissions are the same for broker and proxy.
        JSONObject config = JSONObject.from(broker.getAuthConfig());
        config.put("rocketMQClusterName", broker.getBrokerConfig().getBrokerClusterName());
        config.put("namesrvAddr", broker.getBrokerConfig().getNamesrvAddr());
        config.put("proxyMode", "LOCAL");
        config.put("grpcServerPort", port);
        config.put("grpcClientConsumerMaxLongPollingTimeoutMillis", MOST_WAIT_FOR_MESSAGES_MS);
        config.put("grpcClientConsumerMinLongPollingTimeoutMillis", LEAST_WAIT_FOR_MESSAGES_MS);
        return config;
    }

    private static Server server(GrpcMessagingApplication application, InetSocketAddress address) {
        ProxyConfig config = ConfigurationManager.getProxyConfig();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address);
        if (TlsSystemConfig.tlsMode == TlsMode.ENFORCING) {
            builder.useTransportSecurity(
                    new File(TlsSystemConfig.tlsServerCertPath), new File(TlsSystemConfig.tlsServerKeyPath));
        }
        return builder.executor(ProxyStartup.createServerExecutor())
                .maxInboundMessageSize(config.getGrpcMaxInboundMessageSize())
                .addService(application)
                .intercept(new GlobalExceptionInterceptor())
                .intercept(new ContextInterceptor())
                .intercept(new HeaderInterceptor())
                .build();
    }

    /** Starts the proxy; must be called after the start of the broker. */
    void start() throws Exception {
        processor.start();
        application.start();
        try {
            server.start();
        } catch (IOException e) {
            throw new IOException("cannot listen for gRPC on " + server.getListenSockets() + ": " + e.getMessage(), e);
        }
    }
}
