package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.suite.LongSuite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random faults in random deliveries, counted by the audit and by a model that remembers every message. */
class RandomDeliveriesTest {

    private static final int FEW = 12;

    /** A message on its way to a subscription. */
    private record Message(int producer, long sequence, int partition) {}

    /** A message that arrives again, at a certain consumer, after a number of deliveries. */
    private record Redelivery(long afterDeliveries, Message message, int consumer) {}

    /** Computes the expected counts of the audit; remembers every message. */
    private static final class Model {

        final BitSet[] arrived;
        final BitSet[] arrivedLate;
        final long[][][] newest;
        long received;
        long duplicated;
        long outOfOrder;

        Model(int producers, int partitions, int consumers) {
            arrived = noneOf(producers);
            arrivedLate = noneOf(producers);
            newest = new long[consumers][producers][partitions];
            Arrays.stream(newest).flatMap(Arrays::stream).forEach(each -> Arrays.fill(each, -1));
        }

        static BitSet[] noneOf(int producers) {
            return Stream.generate(BitSet::new).limit(producers).toArray(BitSet[]::new);
        }

        void deliver(Message message, int consumer) {
            received++;
            long[] newestByPartition = newest[consumer][message.producer];
            long newestBefore = newestByPartition[message.partition];
            if (arrived[message.producer].get((int) message.sequence)) {
                duplicated++;
            } else {
                arrived[message.producer].set((int) message.sequence);
                if (message.sequence < newestBefore) {
                    outOfOrder++;
                    arrivedLate[message.producer].set((int) message.sequence);
                }
            }
            newestByPartition[message.partition] = Math.max(newestBefore, message.sequence);
        }
    }

    /** Number of faults of each kind per hundred thousand messages. */
    private record Faults(int lost, int failed, int failedButReceived, int swapped, int redelivered) {

        static Faults random(Random random) {
            int[] scales = {0, 3, 50, 1_000, 20_000};
            return new Faults(
                    scales[random.nextInt(scales.length)],
                    scales[random.nextInt(scales.length - 1)],
                    scales[random.nextInt(scales.length - 1)],
                    scales[random.nextInt(scales.length)],
                    scales[random.nextInt(scales.length)]);
        }

        static boolean happens(int per100_000, Random random) {
            return random.nextInt(100_000) < per100_000;
        }
    }

    /** Number of deliveries between two checks of the duplicates known so far. */
    private static final long LOOK_EVERY = 997;

    /** A topic with all events of its messages. */
    private static final class Scenario {

        long known;
        final Random random;
        final int producers;
        final int partitions;
        final int consumers;
        final boolean consumersOwnPartitions;
        final Faults faults;
        final AuditedTopic topic;
        final Model model;
        final long[] sent;
        final BitSet[] failed;
        final PriorityQueue<Redelivery> redeliveries =
                new PriorityQueue<>(Comparator.comparingLong(Redelivery::afterDeliveries));

        Scenario(long seed, int workers) {
            random = new Random(seed);
            producers = 1 + random.nextInt(3);
            partitions = 1 + random.nextInt(4);
            consumers = 1 + random.nextInt(4);
            consumersOwnPartitions = random.nextBoolean();
            faults = Faults.random(random);
            topic = new AuditedTopic(producers, partitions, consumers, workers);
            model = new Model(producers, partitions, consumers);
            failed = Model.noneOf(producers);
            sent = new long[producers];
        }

        void run() {
            List<List<Message>> queues = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                queues.add(new ArrayList<>());
            }
            send(queues);
            queues.forEach(this::swapSome);
            deliverAll(queues);
            for (int producer = 0; producer < producers; producer++) {
                // These numbers were never sent.
                for (int i = random.nextInt(4); i > 0; i--) {
                    deliver(new Message(producer, sent[producer] + i * 10_000L, 0), 0);
                }
            }
        }

        private void send(List<List<Message>> queues) {
            int messages = 1 + random.nextInt(60_000);
            for (int i = 0; i < messages; i++) {
                for (int producer = 0; producer < producers; producer++) {
                    long sequence = topic.producer(producer).nextSequence();
                    sent[producer] = sequence + 1;
                    boolean arrives = !Faults.happens(faults.lost, random);
                    if (Faults.happens(faults.failed, random)) {
                        topic.producer(producer).failed(sequence);
                        failed[producer].set((int) sequence);
                        arrives = random.nextInt(100_000) < faults.failedButReceived;
                    }
                    if (arrives) {
                        int partition = random.nextInt(partitions);
                        queues.get(partition).add(new Message(producer, sequence, partition));
                    }
                }
            }
        }

        private void swapSome(List<Message> queue) {
            for (int i = 0; i + 1 < queue.size(); i++) {
                if (Faults.happens(faults.swapped, random)) {
                    int with = Math.min(queue.size() - 1, i + 1 + random.nextInt(5));
                    Message message = queue.get(i);
                    queue.set(i, queue.get(with));
                    queue.set(with, message);
                }
            }
        }

        /** Delivers partitions in bursts, so that they drift apart by a little or by many pages. */
        private void deliverAll(List<List<Message>> queues) {
            int[] next = new int[queues.size()];
            int longestBurst = random.nextBoolean() ? 10 : 20_000;
            for (boolean more = true; more; ) {
                int partition = random.nextInt(queues.size());
                List<Message> queue = queues.get(partition);
                for (int burst = 1 + random.nextInt(longestBurst);
                        burst > 0 && next[partition] < queue.size();
                        burst--) {
                    deliver(queue.get(next[partition]++));
                }
                more = false;
                for (int i = 0; i < next.length; i++) {
                    more |= next[i] < queues.get(i).size();
                }
            }
            while (!redeliveries.isEmpty()) {
                redeliver(redeliveries.remove());
            }
        }

        private void deliver(Message message) {
            int consumer = consumersOwnPartitions ? message.partition % consumers : random.nextInt(consumers);
            deliver(message, consumer);
            if (Faults.happens(faults.redelivered, random)) {
                int[] delays = {0, 1, 100, 5_000, 50_000, 1_000_000};
                int delay = delays[random.nextInt(delays.length)];
                int to = random.nextBoolean() ? consumer : random.nextInt(consumers);
                redeliveries.add(new Redelivery(model.received + delay, message, to));
                if (random.nextInt(4) == 0) {
                    redeliveries.add(new Redelivery(model.received + delay * 2L, message, to));
                }
            }
            while (!redeliveries.isEmpty() && redeliveries.element().afterDeliveries <= model.received) {
                redeliver(redeliveries.remove());
            }
        }

        /**
         * Delivers a message again unless it arrived out of order. Such a message counts only as duplicated if another
         * consumer receives it as well, because neither consumer knows which copy arrived first.
         */
        private void redeliver(Redelivery redelivery) {
            if (!model.arrivedLate[redelivery.message.producer].get((int) redelivery.message.sequence)) {
                deliver(redelivery.message, redelivery.consumer);
            }
        }

        private void deliver(Message message, int consumer) {
            topic.consumer(consumer).note(message.producer, message.sequence, message.partition);
            model.deliver(message, consumer);
            if (model.received % LOOK_EVERY == 0) {
                long soFar = topic.duplicatedSoFar();
                assertThat(soFar).as("known after %d: %s", model.received, this).isBetween(known, model.duplicated);
                known = soFar;
            }
        }

        AuditReport.SubscriptionReport expected() {
            long expected = 0;
            long lost = 0;
            List<String> gaps = new ArrayList<>();
            long failedButReceived = 0;
            long neverSent = 0;
            for (int producer = 0; producer < producers; producer++) {
                BitSet arrived = model.arrived[producer];
                BitSet refused = failed[producer];
                long gapFrom = -1;
                for (int sequence = 0; sequence <= sent[producer]; sequence++) {
                    boolean isLost = sequence < sent[producer] && !refused.get(sequence) && !arrived.get(sequence);
                    failedButReceived += refused.get(sequence) && arrived.get(sequence) ? 1 : 0;
                    if (isLost) {
                        lost++;
                        gapFrom = gapFrom < 0 ? sequence : gapFrom;
                    } else if (gapFrom >= 0) {
                        String range = gapFrom == sequence - 1 ? "" + gapFrom : gapFrom + ".." + (sequence - 1);
                        gaps.add("producer " + producer + ": " + range);
                        gapFrom = -1;
                    }
                }
                neverSent += arrived.cardinality()
                        - arrived.get(0, (int) sent[producer]).cardinality();
                expected += sent[producer] - refused.cardinality();
            }
            return AuditFixture.subscription(
                    0,
                    expected,
                    model.received,
                    lost,
                    model.duplicated,
                    model.outOfOrder,
                    failedButReceived,
                    neverSent,
                    gaps.subList(0, Math.min(10, gaps.size())));
        }

        @Override
        public String toString() {
            return "%d producers, %d partitions, %d consumers%s, %s"
                    .formatted(
                            producers,
                            partitions,
                            consumers,
                            consumersOwnPartitions ? " with partitions of their own" : "",
                            faults);
        }
    }

    private static AuditReport.SubscriptionReport compare(int seed, int workers) {
        Scenario scenario = new Scenario(seed, workers);
        scenario.run();
        AuditReport.SubscriptionReport expected = scenario.expected();
        assertThat(scenario.topic.report()).as("seed %d: %s", seed, scenario).isEqualTo(expected);
        return expected;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theAuditCountsWhatAModelCountsAndEveryFaultHappens(int workers) {
        List<AuditReport.SubscriptionReport> all = new ArrayList<>();
        for (int seed = 0; seed < FEW; seed++) {
            all.add(compare(seed, workers));
        }
        assertThat(all).anyMatch(expected -> expected.duplicated() > 0);
        assertThat(all).anyMatch(expected -> expected.outOfOrder() != null && expected.outOfOrder() > 0);
        assertThat(all).anyMatch(expected -> expected.lost() > 0);
        assertThat(all).anyMatch(expected -> expected.failedButReceived() > 0);
    }

    @LongSuite("takes four times as many scenarios")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theAuditCountsWhatAModelCountsInManyScenarios(int workers) {
        for (int seed = FEW; seed < 4 * FEW; seed++) {
            compare(seed, workers);
        }
    }
}
