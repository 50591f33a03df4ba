package io.openmessaging.benchmark.coordinator.fresh;

import io.openmessaging.benchmark.audit.AuditPart;
import io.openmessaging.benchmark.audit.MissingMessages;
import io.openmessaging.benchmark.coordinator.session.RunSession;
import io.openmessaging.benchmark.coordinator.session.Waiting;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.MessageListener;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.load.MessageHeader;
import io.openmessaging.benchmark.result.Finding;
import io.openmessaging.benchmark.worker.SystemControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topics of a run again, with consumers that the system has never seen, to distinguish messages that the
 * system has lost from those that it has not delivered. Runs on the run's thread and over the coordinator's
 * connection, once all clients are closed. Errors are noted and do not fail the run.
 */
public final class FreshRead {

    private static final Logger LOG = LoggerFactory.getLogger(FreshRead.class);

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** No subscription of a workload has this name. */
    private static final String SUBSCRIPTION = "fresh";

    private final RunSession session;
    private final LongAdder arrived = new LongAdder();

    public FreshRead(RunSession session) {
        this.session = session;
    }

    /**
     * Looks for missing messages, within the limits of {@link io.openmessaging.benchmark.run.RunTimeouts} for messages
     * on their way.
     *
     * @param part records of the workers
     * @return the messages that were found, as arrivals where they are missing; null if nothing is missing, or if the
     *     system could not be read again
     */
    public @Nullable AuditPart found(AuditPart part) throws InterruptedException {
        // A shorter header identifies a message only relative to those before it.
        boolean numbered = session.layout == MessageHeader.Layout.FULL;
        if (!numbered || session.request.system().broker().failure().isPresent()) {
            return null;
        }
        MissingMessages missing =
                new MissingMessages(part, session.topology.producersByTopic(), session.topology.subscriptionCount());
        Optional<SystemControl.Reading> reading = missing.left() == 0 ? Optional.empty() : begin(missing);
        if (reading.isEmpty()) {
            return null;
        }
        try {
            await(missing);
        } finally {
            close(reading.get());
        }
        reading.get().problem().ifPresent(problem -> session.recording.note(Finding.freshReadDisturbed(problem)));
        return missing.found();
    }

    /** Starts reading. Calls to the system know nothing of the stop signal: meanwhile it interrupts this thread. */
    private Optional<SystemControl.Reading> begin(MissingMessages missing) {
        try {
            session.stop.interruptFrom();
            LOG.info("Looking for {} messages that have not arrived, in {}", missing.left(), missing.topics());
            return session.request.system().control().read(readers(missing));
        } catch (InterruptedException e) {
            // The user does not want to wait for the fresh consumers.
            return Optional.empty();
        } catch (DriverException | RuntimeException e) {
            LOG.warn("The topics could not be read again", e);
            session.recording.note(Finding.freshReadFailed(String.valueOf(e.getMessage())));
            return Optional.empty();
        } finally {
            session.stop.noInterrupts();
        }
    }

    private List<ConsumerSpec> readers(MissingMessages missing) {
        Set<String> wanted = Set.copyOf(missing.topics());
        List<ConsumerSpec> readers = new ArrayList<>();
        for (TopicSpec topic : session.topology.topics()) {
            if (wanted.contains(topic.name())) {
                int id = session.topology.consumerCount() + readers.size();
                readers.add(new ConsumerSpec(id, topic, SUBSCRIPTION, listener(missing)));
            }
        }
        return readers;
    }

    private MessageListener listener(MissingMessages missing) {
        int runTag = session.description.runTag();
        return (key, payload, partition) -> {
            arrived.increment();
            if (MessageHeader.isOfRun(payload, runTag)) {
                missing.came(MessageHeader.producer(payload), MessageHeader.sequence(payload));
            }
        };
    }

    /** Waits until everything is found, nothing more arrives, or the time limit is reached. */
    private void await(MissingMessages missing) throws InterruptedException {
        long beginNs = session.time.nowNs();
        long movedNs = beginNs;
        long before = 0;
        Waiting waiting = new Waiting(session);
        while (missing.left() > 0) {
            long nowNs = session.time.nowNs();
            long now = arrived.sum();
            movedNs = now == before ? movedNs : nowNs;
            before = now;
            if (nowNs - movedNs >= session.timeouts.quiet().toNanos()) {
                return;
            }
            if (nowNs - beginNs >= session.timeouts.drain().toNanos()) {
                session.recording.note(
                        Finding.freshReadCut(session.timeouts.drain().toSeconds(), missing.left()));
                return;
            }
            waiting.goesOn(
                    () -> "a fresh consumer looks for %,d messages that have not arrived".formatted(missing.left()));
            if (session.time.await(session.stop, LOOK_NS)) {
                return;
            }
        }
    }

    private static void close(SystemControl.Reading reading) {
        try {
            reading.close();
        } catch (DriverException | RuntimeException e) {
            LOG.warn("The consumers that read the topics again could not be closed", e);
        }
    }
}
