package io.openmessaging.benchmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.openmessaging.benchmark.worker.protocol.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs of several workers with random faults, some workers lost, with or without a search: the audit counts the same
 * as a model that remembers every message.
 */
class ManyWorkersAuditTest {

    /** A message that arrives at a consumer. */
    private record Delivery(int consumer, int producer, long sequence, int partition) {}

    /** A consumer's subscription and its worker. */
    private record Consumer(int worker, int topic, int subscription) {}

    /** A message of a producer. */
    private record Message(int producer, long sequence) {}

    private static final class Scenario {

        final Random random;
        final int workers;
        final int topics;
        final int producersPerTopic;
        final int subscriptions;
        final int partitions;
        final boolean searches;
        final int[] workerOf;
        final List<ProducerAudit> producers = new ArrayList<>();
        final List<Set<Long>> failed = new ArrayList<>();
        final long[] sent;
        final long[] marks;
        final List<Consumer> consumers = new ArrayList<>();
        final List<ConsumerAudit> consumerAudits = new ArrayList<>();
        final Map<Consumer, SubscriptionAudit> subscriptionAudits = new LinkedHashMap<>();
        final Set<Integer> lostWorkers = new TreeSet<>();

        /** Lost workers that were lost before the search ended. */
        final Set<Integer> lostInSearch = new TreeSet<>();

        final List<Delivery> delivered = new ArrayList<>();

        Scenario(long seed, boolean searches, boolean loses) {
            random = new Random(seed);
            this.searches = searches;
            workers = 1 + random.nextInt(4);
            topics = 1 + random.nextInt(2);
            producersPerTopic = 1 + random.nextInt(3);
            subscriptions = 1 + random.nextInt(2);
            partitions = 1 + random.nextInt(3);
            workerOf = new int[topics * producersPerTopic];
            sent = new long[workerOf.length];
            marks = new long[workerOf.length];
            for (int producer = 0; producer < workerOf.length; producer++) {
                workerOf[producer] = random.nextInt(workers);
                producers.add(new ProducerAudit(producer));
                failed.add(new HashSet<>());
            }
            for (int worker = 0; loses && worker < workers; worker++) {
                if (random.nextInt(3) == 0) {
                    lostWorkers.add(worker);
                    if (searches && random.nextInt(3) == 0) {
                        lostInSearch.add(worker);
                    }
                }
            }
            for (int topic = 0; topic < topics; topic++) {
                for (int subscription = 0; subscription < subscriptions; subscription++) {
                    for (int i = 1 + random.nextInt(3); i > 0; i--) {
                        addConsumer(new Consumer(random.nextInt(workers), topic, subscription));
                    }
                }
            }
        }

        private void addConsumer(Consumer consumer) {
            consumers.add(consumer);
            SubscriptionAudit audit = subscriptionAudits.computeIfAbsent(
                    consumer, c -> new SubscriptionAudit("topic " + c.topic, c.subscription));
            int first = consumer.topic * producersPerTopic;
            consumerAudits.add(new ConsumerAudit(audit, first, producersPerTopic, partitions));
        }

        void run() {
            List<Delivery> late = new ArrayList<>();
            if (searches) {
                List<Delivery> ofSearch = send(lostInSearch::contains);
                int inTime = random.nextInt(ofSearch.size() + 1);
                ofSearch.subList(0, inTime).forEach(this::deliver);
                late.addAll(ofSearch.subList(inTime, ofSearch.size()));
                endSearch(late);
            }
            List<Delivery> measured = send(lostWorkers::contains);
            mix(late, measured);
            // These numbers were never sent.
            for (int producer = 0; producer < workerOf.length; producer++) {
                if (!lostWorkers.contains(workerOf[producer]) && random.nextInt(3) == 0) {
                    deliver(new Delivery(anyConsumer(producer), producer, sent[producer] + random.nextInt(20_000), 0));
                }
            }
        }

        private int anyConsumer(int producer) {
            List<Integer> ofTopic = IntStream.range(0, consumers.size())
                    .filter(consumer -> consumers.get(consumer).topic == producer / producersPerTopic)
                    .boxed()
                    .toList();
            return ofTopic.get(random.nextInt(ofTopic.size()));
        }

        /**
         * Sends from every producer; those of some workers send only until their worker is lost.
         *
         * @return copies that arrive, in order
         */
        private List<Delivery> send(IntPredicate lost) {
            List<Delivery> deliveries = new ArrayList<>();
            int messages = 1 + random.nextInt(random.nextBoolean() ? 300 : 12_000);
            int oneIn = random.nextBoolean() ? 40 : 3_000;
            List<Delivery> again = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                int producer = random.nextInt(workerOf.length);
                if (lost.test(workerOf[producer]) && i > messages / 2) {
                    continue;
                }
                long sequence = producers.get(producer).nextSequence();
                sent[producer] = sequence + 1;
                boolean refused = random.nextInt(oneIn) == 0;
                if (refused) {
                    producers.get(producer).failed(sequence);
                    failed.get(producer).add(sequence);
                }
                int partition = random.nextInt(partitions);
                for (int subscription = 0; subscription < subscriptions; subscription++) {
                    if (random.nextInt(refused ? 2 : oneIn) == 0) {
                        continue;
                    }
                    Delivery copy =
                            new Delivery(consumerOf(producer, subscription, partition), producer, sequence, partition);
                    deliveries.add(copy);
                    if (random.nextInt(oneIn) == 0) {
                        boolean elsewhere = random.nextBoolean();
                        int to = consumerOf(producer, subscription, elsewhere ? random.nextInt(9) : partition);
                        again.add(new Delivery(to, producer, sequence, partition));
                    }
                }
            }
            for (int i = 0; i + 3 < deliveries.size(); i++) {
                if (random.nextInt(oneIn) == 0) {
                    Collections.swap(deliveries, i, i + 1 + random.nextInt(3));
                }
            }
            again.forEach(delivery -> deliveries.add(random.nextInt(deliveries.size() + 1), delivery));
            return deliveries;
        }

        private int consumerOf(int producer, int subscription, int partition) {
            List<Integer> ofSubscription = new ArrayList<>();
            for (int i = 0; i < consumers.size(); i++) {
                Consumer consumer = consumers.get(i);
                if (consumer.topic == producer / producersPerTopic && consumer.subscription == subscription) {
                    ofSubscription.add(i);
                }
            }
            return ofSubscription.get(partition % ofSubscription.size());
        }

        private void deliver(Delivery delivery) {
            delivered.add(delivery);
            consumerAudits.get(delivery.consumer).note(delivery.producer, delivery.sequence, delivery.partition);
        }

        /** Passes the marks to one audit after the other, in any order, while messages of the search still arrive. */
        private void endSearch(List<Delivery> late) {
            long[] told = new long[workerOf.length];
            for (int producer = 0; producer < workerOf.length; producer++) {
                marks[producer] = producers.get(producer).endSearch();
                told[producer] = lostInSearch.contains(workerOf[producer]) ? Long.MAX_VALUE : marks[producer];
            }
            List<SubscriptionAudit> toTell = new ArrayList<>(subscriptionAudits.values());
            Collections.shuffle(toTell, random);
            for (SubscriptionAudit audit : toTell) {
                for (int i = random.nextInt(200); i > 0 && !late.isEmpty(); i--) {
                    deliver(late.remove(0));
                }
                audit.endSearch(told);
            }
        }

        private void mix(List<Delivery> one, List<Delivery> other) {
            int a = 0;
            int b = 0;
            while (a < one.size() || b < other.size()) {
                boolean fromOne = b == other.size() || a < one.size() && random.nextInt(3) == 0;
                deliver(fromOne ? one.get(a++) : other.get(b++));
            }
        }

        /** Returns the workers' parts in any order, some of them merged, some of them encoded and decoded. */
        List<AuditPart> parts() {
            consumerAudits.forEach(ConsumerAudit::close);
            List<AuditPart> parts = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                int worker = i;
                parts.add(lostWorkers.contains(worker) ? lost(worker) : told(worker));
            }
            Collections.shuffle(parts, random);
            int joined = random.nextInt(workers + 1);
            List<AuditPart> some = new ArrayList<>(parts.subList(joined, workers));
            some.add(AuditPart.together(parts.subList(0, joined)));
            return some.stream()
                    .map(part -> random.nextBoolean() ? part : Wire.read(Wire.write(part), AuditPart.class))
                    .toList();
        }

        private AuditPart told(int worker) {
            return new AuditPart(
                    producers.stream()
                            .filter(producer -> workerOf[producer.producer()] == worker)
                            .map(ProducerAudit::dispatches)
                            .toList(),
                    subscriptionAudits.entrySet().stream()
                            .filter(audit -> audit.getKey().worker == worker)
                            .map(audit -> audit.getValue().arrivals())
                            .toList());
        }

        private AuditPart lost(int worker) {
            Map<Integer, Long> unreported = new HashMap<>();
            for (int producer = 0; producer < workerOf.length; producer++) {
                if (workerOf[producer] == worker) {
                    unreported.put(producer, lostInSearch.contains(worker) ? Long.MAX_VALUE : marks[producer]);
                }
            }
            Set<AuditPart.SubscriptionKey> places = new HashSet<>();
            consumers.stream()
                    .filter(consumer -> consumer.worker == worker)
                    .forEach(c -> places.add(new AuditPart.SubscriptionKey("topic " + c.topic, c.subscription)));
            return AuditPart.lost(new AuditPart.Unreported(unreported, places));
        }

        Map<String, List<Integer>> producersByTopic() {
            Map<String, List<Integer>> byTopic = new LinkedHashMap<>();
            for (int topic = 0; topic < topics; topic++) {
                int first = topic * producersPerTopic;
                byTopic.put(
                        "topic " + topic,
                        IntStream.range(first, first + producersPerTopic)
                                .boxed()
                                .toList());
            }
            return byTopic;
        }
    }

    /** Computes the expected counts of the audit from all reported deliveries. */
    private static final class Model {

        final Scenario run;
        final boolean ofSearch;
        final boolean settled;

        /** Known number of sent messages, by producer; {@link #mark} is the start of its measurement. */
        final long[] sent;

        final long[] mark;

        Model(Scenario run, boolean ofSearch, boolean settled) {
            this.run = run;
            this.ofSearch = ofSearch;
            this.settled = settled;
            sent = run.sent.clone();
            mark = run.marks.clone();
            for (int producer = 0; producer < sent.length; producer++) {
                if (isUnreported(producer)) {
                    sent[producer] = mark[producer];
                }
            }
            for (int producer = 0; producer < sent.length; producer++) {
                if (run.lostInSearch.contains(run.workerOf[producer])) {
                    sent[producer] = 0;
                }
            }
            for (Delivery delivery : run.delivered) {
                if (isTold(delivery) && isUnreported(delivery.producer)) {
                    sent[delivery.producer] = Math.max(sent[delivery.producer], delivery.sequence + 1);
                }
            }
            for (int producer = 0; producer < sent.length; producer++) {
                if (run.lostInSearch.contains(run.workerOf[producer])) {
                    mark[producer] = sent[producer];
                }
            }
        }

        boolean isUnreported(int producer) {
            return run.lostWorkers.contains(run.workerOf[producer]);
        }

        boolean isTold(Delivery delivery) {
            return !run.lostWorkers.contains(run.consumers.get(delivery.consumer).worker);
        }

        boolean isCounted(int producer, long sequence) {
            return sequence < mark[producer] == ofSearch;
        }

        boolean isFailed(int producer, long sequence) {
            return !isUnreported(producer) && run.failed.get(producer).contains(sequence);
        }

        boolean isDoubtful(int producer, int subscription) {
            return isUnreported(producer)
                    || run.consumers.stream()
                            .anyMatch(consumer -> consumer.topic == producer / run.producersPerTopic
                                    && consumer.subscription == subscription
                                    && run.lostWorkers.contains(consumer.worker));
        }

        AuditReport report() {
            long sentHere = 0;
            long failedHere = 0;
            int unreported = 0;
            for (int producer = 0; producer < sent.length; producer++) {
                unreported += isUnreported(producer) ? 1 : 0;
                for (long sequence = 0; sequence < sent[producer]; sequence++) {
                    if (isCounted(producer, sequence)) {
                        sentHere++;
                        failedHere += isFailed(producer, sequence) ? 1 : 0;
                    }
                }
            }
            List<AuditReport.SubscriptionReport> subscriptions = IntStream.range(0, run.subscriptions)
                    .mapToObj(this::subscription)
                    .toList();
            return new AuditReport(sent.length, unreported, sentHere, failedHere, subscriptions);
        }

        private AuditReport.SubscriptionReport subscription(int subscription) {
            Map<Message, Set<Integer>> consumersOf = new HashMap<>();
            Set<Message> late = new HashSet<>();
            long received = 0;
            Map<List<Integer>, Long> newest = new HashMap<>();
            for (Delivery delivery : run.delivered) {
                if (run.consumers.get(delivery.consumer).subscription != subscription || !isTold(delivery)) {
                    continue;
                }
                Message message = new Message(delivery.producer, delivery.sequence);
                List<Integer> position = List.of(delivery.consumer, delivery.producer, delivery.partition);
                long newestBefore = newest.getOrDefault(position, -1L);
                newest.put(position, Math.max(newestBefore, delivery.sequence));
                boolean first = consumersOf
                        .computeIfAbsent(message, m -> new HashSet<>())
                        .add(delivery.consumer);
                if (first && delivery.sequence < newestBefore) {
                    late.add(message);
                }
                received += isCounted(delivery.producer, delivery.sequence) ? 1 : 0;
            }
            return count(subscription, received, consumersOf, late);
        }

        private AuditReport.SubscriptionReport count(
                int subscription, long received, Map<Message, Set<Integer>> consumersOf, Set<Message> late) {
            long arrived = 0;
            long outOfOrder = 0;
            long failedButReceived = 0;
            long unexpected = 0;
            for (Message message : consumersOf.keySet()) {
                if (isCounted(message.producer, message.sequence)) {
                    arrived++;
                    // A message that several consumers received counts only as duplicated.
                    boolean oneGotIt =
                            consumersOf.getOrDefault(message, Set.of()).size() == 1;
                    outOfOrder += oneGotIt && late.contains(message) ? 1 : 0;
                    failedButReceived += isFailed(message.producer, message.sequence) ? 1 : 0;
                    unexpected += message.sequence >= sent[message.producer] ? 1 : 0;
                }
            }
            long expected = 0;
            long missing = 0;
            long inDoubt = 0;
            List<String> gaps = new ArrayList<>();
            for (int producer = 0; producer < sent.length; producer++) {
                long gapFrom = -1;
                for (long sequence = 0; sequence <= sent[producer]; sequence++) {
                    boolean counts =
                            sequence < sent[producer] && isCounted(producer, sequence) && !isFailed(producer, sequence);
                    boolean isMissing = counts && !consumersOf.containsKey(new Message(producer, sequence));
                    boolean doubtful = isMissing && isDoubtful(producer, subscription);
                    expected += counts ? 1 : 0;
                    inDoubt += doubtful ? 1 : 0;
                    if (isMissing && !doubtful) {
                        missing++;
                        gapFrom = gapFrom < 0 ? sequence : gapFrom;
                    } else if (gapFrom >= 0) {
                        String range = gapFrom == sequence - 1 ? "" + gapFrom : gapFrom + ".." + (sequence - 1);
                        gaps.add("producer " + producer + ": " + range);
                        gapFrom = -1;
                    }
                }
            }
            return new AuditReport.SubscriptionReport(
                    subscription,
                    expected,
                    received,
                    settled ? missing : 0,
                    settled ? 0 : missing,
                    inDoubt,
                    received - arrived,
                    outOfOrder,
                    failedButReceived,
                    unexpected,
                    settled ? gaps.subList(0, Math.min(10, gaps.size())) : List.of(),
                    0);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void theAuditCountsWhatAModelCounts(boolean searches, boolean loses) {
        for (int seed = 0; seed < 20; seed++) {
            Scenario run = new Scenario(seed, searches, loses);
            run.run();
            List<AuditPart> parts = run.parts();
            boolean settled = run.random.nextBoolean();
            AuditReport.WaitEnd end = settled ? AuditReport.WaitEnd.SETTLED : AuditReport.WaitEnd.CUT;
            assertThat(AuditReport.of(parts, run.producersByTopic(), run.subscriptions, end))
                    .as("seed %d", seed)
                    .isEqualTo(new Model(run, false, settled).report());
            assertThat(AuditReport.ofSearch(parts, run.producersByTopic(), run.subscriptions, end))
                    .as("search of seed %d", seed)
                    .isEqualTo(new Model(run, true, settled).report());
        }
    }

    @Test
    void theScenariosHaveEverything() {
        AuditReport.SubscriptionReport sum = AuditFixture.subscription(0, 0, 0, 0, 0, 0, 0, 0, List.of());
        for (int seed = 0; seed < 40; seed++) {
            for (boolean ofSearch : new boolean[] {true, false}) {
                Scenario run = new Scenario(seed, true, true);
                run.run();
                for (AuditReport.SubscriptionReport one :
                        new Model(run, ofSearch, true).report().subscriptions()) {
                    sum = plus(sum, one);
                }
            }
        }
        assertThat(sum.lost()).isPositive();
        assertThat(sum.inDoubt()).isPositive();
        assertThat(sum.duplicated()).isPositive();
        assertThat(sum.outOfOrder()).isPositive();
        assertThat(sum.failedButReceived()).isPositive();
        assertThat(sum.unexpected()).isPositive();
    }

    private static AuditReport.SubscriptionReport plus(
            AuditReport.SubscriptionReport a, AuditReport.SubscriptionReport b) {
        return new AuditReport.SubscriptionReport(
                0,
                a.expected() + b.expected(),
                a.received() + b.received(),
                a.lost() + b.lost(),
                a.undelivered() + b.undelivered(),
                a.inDoubt() + b.inDoubt(),
                a.duplicated() + b.duplicated(),
                AuditReport.sumIfKnown(Arrays.asList(a.outOfOrder(), b.outOfOrder())),
                a.failedButReceived() + b.failedButReceived(),
                a.unexpected() + b.unexpected(),
                List.of(),
                0);
    }
}
