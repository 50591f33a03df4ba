package io.openmessaging.benchmark.driver.rocketmq.log;

import org.apache.rocketmq.logging.ch.qos.logback.classic.spi.ILoggingEvent;
import org.apache.rocketmq.logging.ch.qos.logback.classic.spi.ThrowableProxy;
import org.apache.rocketmq.logging.ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Forwards the errors that the remoting client logs to the harness' own log. Named in {@code rmq.logback.xml}, which
 * configures the logback that the client bundles.
 */
public final class RemotingLog extends AppenderBase<ILoggingEvent> {

    @Override
    protected void append(ILoggingEvent event) {
        Throwable cause = event.getThrowableProxy() instanceof ThrowableProxy proxy ? proxy.getThrowable() : null;
        LoggerFactory.getLogger(event.getLoggerName()).error(event.getFormattedMessage(), cause);
    }
}
