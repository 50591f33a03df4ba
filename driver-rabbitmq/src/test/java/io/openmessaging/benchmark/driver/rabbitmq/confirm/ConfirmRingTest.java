package io.openmessaging.benchmark.driver.rabbitmq.confirm;

import static io.openmessaging.benchmark.suite.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.SendCallback;
import io.openmessaging.benchmark.driver.testkit.RecordingCallback;
import io.openmessaging.benchmark.suite.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmRingTest {

    private static final Consumer<SendCallback> ACK = SendCallback::acknowledged;

    /** A callback that counts its calls. */
    private static final class Counting implements SendCallback {

        final AtomicInteger acknowledged = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();

        @Override
        public void acknowledged() {
            acknowledged.incrementAndGet();
        }

        @Override
        public void failed(Throwable cause) {
            failed.incrementAndGet();
        }

        int calls() {
            return acknowledged.get() + failed.get();
        }
    }

    @Test
    void numbersBeginWithOneAndCountUp() throws Exception {
        ConfirmRing ring = new ConfirmRing(3);
        for (long expected = 1; expected <= 10; expected++) {
            assertThat(ring.add(new Counting())).isEqualTo(expected);
            ring.confirm(expected, false, ACK);
        }
    }

    @Test
    void multipleAnswersAllThatAreLeftUpToTheNumber() throws Exception {
        ConfirmRing ring = new ConfirmRing(10);
        List<Counting> sent = add(ring, 6);
        ring.confirm(2, false, ACK);
        ring.confirm(4, true, ACK);
        assertThat(sent).extracting(Counting::calls).containsExactly(1, 1, 1, 1, 0, 0);
        ring.confirm(4, true, ACK);
        ring.confirm(6, true, ACK);
        assertThat(sent).extracting(Counting::calls).containsOnly(1);
    }

    @Test
    void anAnswerForANumberThatWasNotGivenOutIsPassedOver() throws Exception {
        ConfirmRing ring = new ConfirmRing(4);
        List<Counting> sent = add(ring, 2);
        ring.confirm(3, false, ACK);
        ring.confirm(0, false, ACK);
        assertThat(sent).extracting(Counting::calls).containsExactly(0, 0);
        ring.confirm(99, true, ACK);
        assertThat(sent).extracting(Counting::calls).containsExactly(1, 1);
        // Later messages do not count as answered.
        Counting next = add(ring, 1).get(0);
        assertThat(next.calls()).isZero();
        ring.confirm(3, false, ACK);
        assertThat(next.calls()).isOne();
    }

    /**
     * Slots of numbers that were answered singly are reused; a later "up to" that covers the numbers must not touch
     * the slots.
     */
    @Test
    void aNumberThatIsAnsweredDoesNotAnswerTheOneThatTookItsPlace() throws Exception {
        ConfirmRing ring = new ConfirmRing(2);
        List<Counting> sent = add(ring, 2);
        ring.confirm(2, false, ACK);
        ring.confirm(1, false, ACK);
        sent.addAll(add(ring, 2));
        ring.confirm(2, true, ACK);
        assertThat(sent).extracting(Counting::calls).containsExactly(1, 1, 0, 0);
        ring.confirm(2, false, ACK);
        assertThat(sent).extracting(Counting::calls).containsExactly(1, 1, 0, 0);
    }

    @Test
    void aNumberTakenBackIsGivenOutAgain() throws Exception {
        ConfirmRing ring = new ConfirmRing(2);
        List<Counting> sent = add(ring, 2);
        ring.takeBack(new IllegalStateException("too large"));
        assertThat(sent.get(1).failed).hasValue(1);
        sent.addAll(add(ring, 1));
        ring.confirm(2, true, ACK);
        assertThat(sent).extracting(counting -> counting.acknowledged.get()).containsExactly(1, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void behavesLikeAMapOfNumbers(long seed) throws Exception {
        Random random = new Random(seed);
        int window = 1 + random.nextInt(20);
        ConfirmRing ring = new ConfirmRing(window);
        TreeMap<Long, Counting> model = new TreeMap<>();
        List<Counting> all = new ArrayList<>();
        long last = 0;
        for (int step = 0; step < 20_000; step++) {
            boolean room = model.isEmpty() || last + 1 - model.firstKey() < window;
            if (room && random.nextInt(3) > 0) {
                Counting callback = new Counting();
                all.add(callback);
                last = ring.add(callback);
                model.put(last, callback);
            } else {
                answerOneOrMany(ring, model, last, random);
            }
            assertThat(ring.unanswered()).isEqualTo(model.size());
        }
        ring.confirm(last, true, ACK);
        assertThat(all).extracting(Counting::calls).containsOnly(1);
    }

    private static void answerOneOrMany(ConfirmRing ring, TreeMap<Long, Counting> model, long last, Random random) {
        long first = model.isEmpty() ? last : model.firstKey();
        long number = Math.max(0, first - 3) + random.nextInt((int) (last - Math.max(0, first - 3)) + 2);
        boolean multiple = random.nextBoolean();
        List<Counting> expected = new ArrayList<>();
        if (multiple) {
            expected.addAll(model.headMap(number, true).values());
            model.headMap(number, true).clear();
        } else if (model.containsKey(number)) {
            expected.add(model.remove(number));
        }
        ring.confirm(number, multiple, ACK);
        assertThat(expected).allMatch(callback -> callback.calls() == 1);
        assertThat(model.values()).allMatch(callback -> callback.calls() == 0);
    }

    @Test
    void aFullWindowHoldsTheSenderUntilAnAnswerComes() throws Exception {
        ConfirmRing ring = new ConfirmRing(4);
        List<Counting> sent = Collections.synchronizedList(add(ring, 4));
        Thread sender = start(() -> sent.addAll(add(ring, 1)));
        awaitWaiting(sender);
        assertThat(sent).hasSize(4);
        ring.confirm(1, false, ACK);
        Patience.join(sender);
        assertThat(sent).hasSize(5);
    }

    /** Waking the sender for every single slot would cost more than the message. */
    @Test
    void aSenderThatWaitsDoesSoUntilAQuarterOfTheWindowIsFree() throws Exception {
        ConfirmRing ring = new ConfirmRing(100);
        List<Counting> sent = Collections.synchronizedList(add(ring, 100));
        Thread sender = start(() -> sent.addAll(add(ring, 1)));
        awaitWaiting(sender);
        ring.confirm(24, true, ACK);
        awaitWaiting(sender);
        assertThat(sent).hasSize(100);
        ring.confirm(25, false, ACK);
        Patience.join(sender);
        assertThat(sent).hasSize(101);
    }

    @Test
    void anInterruptEndsTheWaitAndTheMessageIsNotTaken() throws Exception {
        ConfirmRing ring = new ConfirmRing(1);
        add(ring, 1);
        Counting refused = new Counting();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread sender = start(() -> {
            try {
                ring.add(refused);
            } catch (InterruptedException e) {
                thrown.set(e);
            }
        });
        awaitWaiting(sender);
        sender.interrupt();
        Patience.join(sender);
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(refused.calls()).isZero();
        ring.confirm(1, true, ACK);
        assertThat(ring.add(new Counting())).isEqualTo(2);
    }

    @Test
    void failingAllFailsWhatIsLeftAndWhatComesLater() throws Exception {
        ConfirmRing ring = new ConfirmRing(5);
        List<Counting> sent = add(ring, 3);
        ring.confirm(2, false, ACK);
        ring.failAll(new IllegalStateException("closed"));
        assertThat(sent).extracting(counting -> counting.failed.get()).containsExactly(1, 0, 1);
        Counting late = new Counting();
        assertThat(ring.add(late)).isZero();
        assertThat(late.failed).hasValue(1);
        ring.confirm(3, true, ACK);
        assertThat(sent).extracting(Counting::calls).containsOnly(1);
    }

    @Test
    void aRingOfSlotsAnswersBySlotAndGoesOn() throws Exception {
        ConfirmRing ring = ConfirmRing.ofSlots(2);
        List<Counting> sent = List.of(new Counting(), new Counting());
        int first = ring.addToSlot(sent.get(0));
        int second = ring.addToSlot(sent.get(1));
        ring.confirmSlot(second, ACK);
        ring.failSlot(first, new IllegalStateException("refused"));
        assertThat(sent).extracting(counting -> counting.failed.get()).containsExactly(1, 0);
        int third = ring.addToSlot(new Counting());
        assertThat(ring.unanswered()).isEqualTo(1);
        ring.confirmSlot(third, ACK);
        assertThat(ring.unanswered()).isZero();
        assertThat(sent).extracting(Counting::calls).containsOnly(1);
        ring.failAll(new IllegalStateException("closed"));
        assertThat(ring.addToSlot(new Counting())).isEqualTo(-1);
    }

    @Test
    void aRingOfSlotsUsesNoMoreOfThemThanAreNeeded() throws Exception {
        ConfirmRing ring = ConfirmRing.ofSlots(10_000);
        int highest = 0;
        for (int i = 0; i < 30_000; i++) {
            int slot = ring.addToSlot(new Counting());
            highest = Math.max(highest, slot);
            ring.confirmSlot(slot, ACK);
        }
        assertThat(highest).as("the highest slot, of one message at a time").isEqualTo(255);
    }

    @Test
    void aRingOfSlotsGrowsUpToItsWindow() throws Exception {
        ConfirmRing ring = ConfirmRing.ofSlots(1000);
        Set<Integer> slots = new HashSet<>();
        List<Counting> sent = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            sent.add(new Counting());
            slots.add(ring.addToSlot(sent.get(i)));
        }
        assertThat(slots).as("slots of 1,000 messages at a time").hasSize(1000).allMatch(slot -> slot < 1000);
        AtomicInteger next = new AtomicInteger(-1);
        Thread sender = start(() -> next.set(ring.addToSlot(new Counting())));
        awaitWaiting(sender);
        slots.forEach(slot -> ring.confirmSlot(slot, ACK));
        Patience.join(sender);
        assertThat(next.get()).isBetween(0, 999);
        assertThat(sent).extracting(Counting::calls).containsOnly(1);
    }

    @Test
    void failingAllReleasesASenderThatWaits() throws Exception {
        ConfirmRing ring = new ConfirmRing(2);
        add(ring, 2);
        Counting waiting = new Counting();
        Thread sender = start(() -> ring.add(waiting));
        awaitWaiting(sender);
        ring.failAll(new IllegalStateException("closed"));
        Patience.join(sender);
        assertThat(waiting.failed).hasValue(1);
    }

    @Test
    void waitingForAllAnswersEndsWithTheLastOneOrAtTheDeadline() throws Exception {
        ConfirmRing ring = new ConfirmRing(8);
        add(ring, 5);
        assertThat(ring.awaitAllAnswered(Deadline.in(Duration.ofMillis(20)))).isFalse();
        Thread broker = start(() -> {
            for (int number = 5; number >= 1; number--) {
                ring.confirm(number, false, ACK);
            }
        });
        assertThat(ring.awaitAllAnswered(Deadline.in(Patience.LIMIT))).isTrue();
        Patience.join(broker);
        assertThatThrownBy(() -> {
                    add(ring, 1);
                    Thread.currentThread().interrupt();
                    ring.awaitAllAnswered(Deadline.in(Patience.LIMIT));
                })
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void whatIsNotAnsweredInTimeFailsWithAClosedProducer() throws Exception {
        ConfirmRing ring = new ConfirmRing(8);
        Counting answered = add(ring, 1).get(0);
        ring.confirm(1, false, ACK);
        RecordingCallback unanswered = new RecordingCallback("a message");
        ring.add(unanswered);
        List<Boolean> inTime = new ArrayList<>();
        ring.close(Deadline.in(Duration.ofMillis(20)), inTime::add);
        assertThat(inTime).containsExactly(false);
        assertThat(unanswered.failures())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .hasMessage("Waited 20 ms for the broker's confirms of 1 messages");
        assertThat(answered.calls()).isOne();
    }

    /** Runs a sender, a broker that answers as real brokers do, and finally a close while messages are sent. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 1000})
    void everyCallbackIsCalledOnceWhateverThreadsDo(int window) throws Exception {
        int messages = 20_000;
        ConfirmRing ring = new ConfirmRing(window);
        List<Counting> sent = new ArrayList<>();
        BlockingQueue<Long> wire = new ArrayBlockingQueue<>(window + 1);
        Thread broker = start(() -> answerAll(ring, wire, new Random(window)));
        for (int i = 0; i < messages; i++) {
            Counting callback = new Counting();
            sent.add(callback);
            wire.put(ring.add(callback));
        }
        assertThat(ring.awaitAllAnswered(Deadline.in(Patience.LIMIT))).isTrue();
        assertThat(sent).allMatch(callback -> callback.acknowledged.get() == 1);

        Thread closing = start(() -> ring.failAll(new IllegalStateException("closed")));
        for (int i = 0; i < window; i++) {
            Counting callback = new Counting();
            sent.add(callback);
            long number = ring.add(callback);
            if (number != 0) {
                wire.put(number);
            }
        }
        Patience.join(closing);
        wire.put(-1L);
        Patience.join(broker);
        assertThat(sent).allMatch(callback -> callback.calls() == 1);
    }

    /** Holds some numbers back, then answers them one by one in any order, or all that it holds at once. */
    private static void answerAll(ConfirmRing ring, BlockingQueue<Long> wire, Random random)
            throws InterruptedException {
        List<Long> kept = new ArrayList<>();
        while (true) {
            Long number = kept.isEmpty() ? wire.take() : wire.poll();
            if (number == null || random.nextInt(10) == 0) {
                Collections.shuffle(kept, random);
                if (random.nextBoolean()) {
                    kept.forEach(one -> ring.confirm(one, false, ACK));
                } else {
                    ring.confirm(Collections.max(kept.isEmpty() ? List.of(0L) : kept), true, ACK);
                }
                kept.clear();
            }
            if (number != null) {
                if (number < 0) {
                    return;
                }
                kept.add(number);
            }
        }
    }

    private static List<Counting> add(ConfirmRing ring, int count) throws InterruptedException {
        List<Counting> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Counting callback = new Counting();
            added.add(callback);
            ring.add(callback);
        }
        return added;
    }

    private interface Task {
        void run() throws Exception;
    }

    private static Thread start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) {
        await("the sender waits").until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
