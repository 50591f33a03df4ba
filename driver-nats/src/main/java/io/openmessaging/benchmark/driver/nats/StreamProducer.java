package io.openmessaging.benchmark.driver.nats;

import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.ProducerSpec;
import io.openmessaging.benchmark.driver.nats.window.SendWindow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to a stream, which answers each message. The answer goes to a subject of this producer that names the
 * message's place in the {@link SendWindow}. Subjects are used again, so that nobody has to remember one per message.
 */
final class StreamProducer extends NatsProducer {

    private static final String MESSAGE_ID = "Nats-Msg-Id";

    /** All answers but errors start so. */
    private static final byte[] STORED = "{\"stream\":".getBytes(StandardCharsets.US_ASCII);

    private static final int NO_RESPONDERS = 503;

    private final String inbox;
    private final String[] replies;
    private final int[] generations;
    private final Dispatcher answers;
    private final boolean deduplicates;
    private final String idPrefix;
    private long sent;

    StreamProducer(ProducerSpec spec, String[] subjects, NatsConfig config, NatsLink link, DriverContext context) {
        super(spec, subjects, config, link, context.timeout());
        this.deduplicates = config.deduplicate();
        this.idPrefix = context.runId() + "-" + spec.id() + "-";
        this.inbox = link.connection().createInbox() + ".";
        this.replies = new String[window.size()];
        this.generations = new int[window.size()];
        for (int slot = 0; slot < replies.length; slot++) {
            replies[slot] = reply(slot, 0);
        }
        this.answers = link.connection().createDispatcher(this::answered);
        answers.subscribe(inbox + "*.*");
    }

    private String reply(int slot, int generation) {
        return inbox + slot + "." + generation;
    }

    @Override
    boolean needsOwnHeaders() {
        return deduplicates;
    }

    @Override
    void publish(int slot, int generation, String subject, @Nullable Headers headers, byte[] payload) {
        if (generations[slot] != generation) {
            generations[slot] = generation;
            replies[slot] = reply(slot, generation);
        }
        if (!deduplicates) {
            link.connection().publish(subject, replies[slot], headers, payload);
            return;
        }
        Headers withId = headers == null ? new Headers() : headers;
        withId.put(MESSAGE_ID, idPrefix + sent++);
        Message message = message(subject, replies[slot], withId, payload);
        window.keep(slot, message);
        link.connection().publish(message);
    }

    private static Message message(String subject, String reply, @Nullable Headers headers, byte[] payload) {
        return NatsMessage.builder()
                .subject(subject)
                .replyTo(reply)
                .headers(headers)
                .data(payload)
                .build();
    }

    /** Receives the answer to a message. */
    private void answered(Message answer) {
        String subject = answer.getSubject();
        int dot = subject.indexOf('.', inbox.length());
        int slot = Integer.parseInt(subject, inbox.length(), dot, 10);
        int generation = Integer.parseInt(subject, dot + 1, subject.length(), 10);
        if (isStored(answer.getData())) {
            acknowledge(slot, generation);
            return;
        }
        Exception refusal = refusal(answer);
        // Only messages with ids are kept, and may be sent again.
        if (!NatsCalls.isTemporary(refusal) || !window.postpone(slot, generation)) {
            fail(slot, generation, refusal);
        }
    }

    private static boolean isStored(byte @Nullable [] data) {
        return data != null
                && data.length >= STORED.length
                && Arrays.equals(data, 0, STORED.length, STORED, 0, STORED.length);
    }

    private static Exception refusal(Message answer) {
        if (answer.isStatusMessage() && answer.getStatus().getCode() == NO_RESPONDERS) {
            return new IOException("no stream takes the message: it is missing, or has no leader at the moment");
        }
        try {
            return new IOException("not an answer of a stream: " + new PublishAck(answer));
        } catch (IOException | JetStreamApiException e) {
            return e;
        }
    }

    /** With ids, messages are sent again instead: the stream recognises those that it has already stored. */
    @Override
    public void lost(Throwable cause) {
        if (!deduplicates) {
            super.lost(cause);
        }
    }

    @Override
    public void regained() {
        sendAgain(window.unanswered());
    }

    @Override
    void sendPostponed() {
        sendAgain(window.postponed());
    }

    private void sendAgain(List<SendWindow.Unanswered> messages) {
        for (SendWindow.Unanswered again : messages) {
            Message kept = again.message();
            try {
                link.connection()
                        .publish(message(
                                kept.getSubject(),
                                reply(again.slot(), again.generation()),
                                kept.getHeaders(),
                                kept.getData()));
            } catch (RuntimeException e) {
                fail(again.slot(), again.generation(), e);
            }
        }
    }

    @Override
    void release() {
        try {
            link.connection().closeDispatcher(answers);
        } catch (IllegalStateException | IllegalArgumentException e) {
            // The connection is closed.
        }
    }
}
