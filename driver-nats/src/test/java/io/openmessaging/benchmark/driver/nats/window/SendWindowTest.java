package io.openmessaging.benchmark.driver.nats.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SendWindowTest {

    private final SendWindow window = new SendWindow(2);
    private final RecordingCallback first = new RecordingCallback("first");
    private final RecordingCallback second = new RecordingCallback("second");
    private final RecordingCallback third = new RecordingCallback("third");

    @Test
    void anAnswerTakesItsMessageOnce() throws Exception {
        int slot = window.add(first, 0);

        assertThat(window.answered(slot, window.generation(slot))).isSameAs(first);
        assertThat(window.answered(slot, window.generation(slot))).isNull();
    }

    @Test
    void aFullWindowWaitsForAnyAnswer() throws Exception {
        window.add(first, 0);
        int newest = window.add(second, 0);
        CompletableFuture<Integer> added = new CompletableFuture<>();
        Thread sender = new Thread(() -> {
            try {
                added.complete(window.add(third, 0));
            } catch (InterruptedException e) {
                added.completeExceptionally(e);
            }
        });
        sender.start();
        Patience.until("the sender waits", () -> sender.getState() == Thread.State.WAITING);

        assertThat(added).isNotDone();
        assertThat(window.answered(newest, 0)).isSameAs(second);
        Patience.until("the sender goes on", added::isDone);
        assertThat(added.join()).isEqualTo(newest);
    }

    @Test
    void aMessageWhoseAnswerIsLostKeepsOnlyItsOwnSlot() throws Exception {
        int lost = window.add(first, 0);
        for (int i = 1; i <= 5; i++) {
            int slot = window.add(second, i);
            assertThat(slot).isNotEqualTo(lost);
            assertThat(window.answered(slot, 0)).isSameAs(second);
        }
        assertThat(window.takeOlderThan(1)).containsExactly(first);
    }

    @Test
    void anAnswerThatIsTooLateDoesNotCountForTheNextMessageOfTheSlot() throws Exception {
        int slot = window.add(first, 0);
        int generation = window.generation(slot);
        assertThat(window.takeAll()).containsExactly(first);
        window.add(second, 0);

        assertThat(window.add(third, 0)).isEqualTo(slot);
        assertThat(window.answered(slot, generation)).isNull();
        assertThat(window.answered(slot, window.generation(slot))).isSameAs(third);
    }

    @Test
    void onlyOldMessagesAreLate() throws Exception {
        window.add(first, 100);
        window.add(second, 200);

        assertThat(window.takeOlderThan(200)).containsExactly(first);
        assertThat(window.takeOlderThan(201)).containsExactly(second);
    }

    @Test
    void messagesAreTakenInTheOrderInWhichTheyWereSent() throws Exception {
        window.answered(window.add(first, 0), 0);
        window.add(second, 0);
        window.add(third, 0);

        assertThat(window.takeAll()).containsExactly(second, third);
    }

    @Test
    void whatIsSentAgainHasAnotherGeneration() throws Exception {
        Message message = NatsMessage.builder().subject("s").build();
        window.keep(window.add(first, 0), message);
        int answered = window.add(second, 0);
        window.keep(answered, message);
        assertThat(window.answered(answered, 0)).isSameAs(second);

        assertThat(window.unanswered()).singleElement().satisfies(again -> {
            assertThat(again.message()).isSameAs(message);
            assertThat(window.answered(again.slot(), again.generation() - 1)).isNull();
            assertThat(window.answered(again.slot(), again.generation())).isSameAs(first);
        });
    }

    @Test
    void aPostponedMessageIsSentAgainOnce() throws Exception {
        Message message = NatsMessage.builder().subject("s").build();
        int slot = window.add(first, 0);
        window.keep(slot, message);
        window.keep(window.add(second, 0), NatsMessage.builder().subject("t").build());

        assertThat(window.postpone(slot, 0)).isTrue();

        assertThat(window.postponed()).singleElement().satisfies(again -> {
            assertThat(again.message()).isSameAs(message);
            assertThat(window.answered(slot, 0)).isNull();
            assertThat(window.postponed()).isEmpty();
            assertThat(window.answered(slot, again.generation())).isSameAs(first);
        });
    }

    @Test
    void onlyAKeptMessageWithoutAnAnswerIsPostponed() throws Exception {
        int notKept = window.add(first, 0);
        int answered = window.add(second, 0);
        window.keep(answered, NatsMessage.builder().subject("s").build());
        window.answered(answered, 0);

        assertThat(window.postpone(notKept, 0)).isFalse();
        assertThat(window.postpone(answered, 0)).isFalse();
        assertThat(window.postponed()).isEmpty();
    }

    @Test
    void onlyWhatTheClientHadBeforeIsTaken() throws Exception {
        SendWindow window = new SendWindow(3);
        window.add(second, 0);
        window.handedOver(window.add(first, 0));
        long before = window.handedOver();
        window.handedOver(window.add(third, 0));

        assertThat(window.takeHandedOver(before)).containsExactly(first);
        assertThat(window.takeHandedOver(before)).isEmpty();
        assertThat(window.takeAll()).containsExactlyInAnyOrder(second, third);
    }
}
