package io.openmessaging.benchmark.driver.rocketmq.log;

import org.apache.rocketmq.shaded.ch.qos.logback.classic.Level;
import org.apache.rocketmq.shaded.ch.qos.logback.classic.Logger;
import org.apache.rocketmq.shaded.ch.qos.logback.classic.LoggerContext;
import org.apache.rocketmq.shaded.ch.qos.logback.classic.spi.Configurator;
import org.apache.rocketmq.shaded.ch.qos.logback.classic.spi.ILoggingEvent;
import org.apache.rocketmq.shaded.ch.qos.logback.classic.spi.ThrowableProxy;
import org.apache.rocketmq.shaded.ch.qos.logback.core.AppenderBase;
import org.apache.rocketmq.shaded.ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/**
 * Forwards the errors that the gRPC client logs to the harness' own log. The client bundles its own logback, which
 * would otherwise write files below the user's home folder. Warnings are left out: each failed message logs one with a
 * stack trace, and the failure is reported anyway. Named in {@code META-INF/services}, where that logback looks.
 */
public final class GrpcLog extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Forwarder forwarder = new Forwarder();
        forwarder.setContext(context);
        forwarder.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.ERROR);
        root.addAppender(forwarder);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static final class Forwarder extends AppenderBase<ILoggingEvent> {

        @Override
        protected void append(ILoggingEvent event) {
            Throwable cause = event.getThrowableProxy() instanceof ThrowableProxy proxy ? proxy.getThrowable() : null;
            LoggerFactory.getLogger(event.getLoggerName()).error(event.getFormattedMessage(), cause);
        }
    }
}
