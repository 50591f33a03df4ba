package io.openmessaging.benchmark.driver.kafka;

import static io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls.CALLS;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.ConsumerSpec;
import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverContext;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.ManyCalls;
import io.openmessaging.benchmark.driver.TopicSpec;
import io.openmessaging.benchmark.driver.kafka.clients.GroupMember;
import io.openmessaging.benchmark.driver.kafka.clients.KafkaCalls;
import io.openmessaging.benchmark.driver.kafka.clients.PollingConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;

/**
 * The consumers of a run and their groups: one per topic and subscription, unless topics share clients. Used by the
 * control thread.
 *
 * @param <C> clients of this kind of group
 */
abstract class Subscriptions<C extends PollingConsumer> {

    static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofMillis(50);

    /** A wait for the broker that is shorter is not worth telling. */
    private static final Duration TELL_AFTER = Duration.ofSeconds(1);

    private static final Duration TELL_EVERY = Duration.ofSeconds(10);

    private final Admin admin;
    private final String prefix;
    private final DriverContext context;
    private final Set<C> clients = new LinkedHashSet<>();

    /**
     * Starts without consumers.
     *
     * @param prefix the prefix of the groups' names
     */
    Subscriptions(Admin admin, String prefix, DriverContext context) {
        this.admin = admin;
        this.prefix = prefix;
        this.context = context;
    }

    // Differences between kinds of groups

    /**
     * A consumer and the client that reads for it.
     *
     * @param <C> client of this kind of group
     */
    record CreatedConsumer<C>(C client, GroupMember consumer) {}

    /** Creates a consumer whose client starts to join its group. May be called by several threads at a time. */
    abstract CreatedConsumer<C> consumer(ConsumerSpec spec, String groupId) throws DriverException;

    /** Group that a consumer joins. A subscription's name contains no dot. */
    String groupOf(ConsumerSpec spec) {
        return prefix + spec.topic().name() + "." + spec.subscription();
    }

    /**
     * Returns the groups that belong to any of these topics.
     *
     * @param ids groups of this run
     */
    Collection<String> groupsOf(Set<String> topics, Collection<String> ids, Deadline deadline)
            throws DriverException, InterruptedException {
        return ids.stream().filter(id -> topics.contains(topicOf(id))).toList();
    }

    /** Returns whether a consumer considers itself a member, so that it is worth querying its group. */
    abstract boolean hasJoined(C consumer);

    /** Prepares the settings of groups before consumers join, possibly again; does nothing by default. */
    void prepare(Collection<String> groupIds, Deadline deadline) throws DriverException, InterruptedException {}

    /** Returns the groups in which each consumer has its part of the topic. */
    abstract Set<String> complete(Map<String, List<C>> groups, Deadline deadline)
            throws DriverException, InterruptedException;

    /**
     * Removes the remaining members of groups whose clients are all closed or dead, as far as the broker can do that;
     * a missing group is no error.
     *
     * @return what else the broker has to do before the groups can be deleted, in words that follow "waits for"
     */
    abstract String removeMembers(Collection<String> groupIds, Deadline deadline)
            throws DriverException, InterruptedException;

    /** Starts to delete groups. */
    abstract Map<String, KafkaFuture<Void>> delete(Collection<String> groupIds, int timeoutMs);

    /** Removes the settings of deleted groups; does nothing by default. */
    void forget(Collection<String> groupIds, Deadline deadline) throws DriverException, InterruptedException {}

    final String prefix() {
        return prefix;
    }

    final Admin admin() {
        return admin;
    }

    final DriverContext context() {
        return context;
    }

    // Creating

    /** Returns when all consumers are attached; creates all or none. */
    List<BenchmarkConsumer> create(List<ConsumerSpec> specs) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        List<String> ids = specs.stream().map(this::groupOf).distinct().toList();
        for (List<String> batch : Batches.ofGroups(ids)) {
            prepare(batch, deadline);
        }
        List<CreatedConsumer<C>> created = new ManyCalls<CreatedConsumer<C>>(
                        CALLS, "create consumers", ManyCalls.SEVERAL, this::discard)
                .all(specs, spec -> consumer(spec, groupOf(spec)), deadline);
        List<C> joining = note(created);
        try {
            awaitAttached(joining, deadline);
            for (C client : joining) {
                client.endAttaching();
            }
            return created.stream()
                    .<BenchmarkConsumer>map(CreatedConsumer::consumer)
                    .toList();
        } catch (Throwable e) {
            GroupMember.closeAll(consumers(created), e);
            throw e;
        }
    }

    /** Registers the clients of these consumers for their release at the end, and returns them. */
    private List<C> note(List<CreatedConsumer<C>> those) {
        List<C> their = those.stream().map(CreatedConsumer::client).distinct().toList();
        clients.addAll(their);
        return their;
    }

    private void discard(List<CreatedConsumer<C>> created, Exception reason) {
        note(created);
        GroupMember.closeAll(consumers(created), reason);
    }

    private List<GroupMember> consumers(List<CreatedConsumer<C>> those) {
        return those.stream().map(CreatedConsumer::consumer).toList();
    }

    /**
     * Waits until each consumer has its part of the topic and its start position. The broker decides whether a group is
     * complete, since consumers on other workers may belong to it, too.
     *
     * @throws DriverException if a consumer fails or the deadline passes
     */
    private void awaitAttached(List<C> created, Deadline deadline) throws DriverException, InterruptedException {
        Map<String, List<C>> pending = new LinkedHashMap<>();
        for (C consumer : created) {
            pending.computeIfAbsent(consumer.groupId(), id -> new ArrayList<>()).add(consumer);
        }
        int groups = pending.size();
        deadline.await(
                PAUSE_BETWEEN_LOOKS,
                () -> areComplete(created, pending, deadline),
                () -> "consumers to be attached: " + pending.size() + " of " + groups + " groups are not complete, "
                        + example(pending));
    }

    /** Removes groups that are complete; returns whether none is left. */
    private boolean areComplete(List<C> created, Map<String, List<C>> pending, Deadline deadline)
            throws DriverException, InterruptedException {
        for (C consumer : created) {
            consumer.throwIfFailed();
        }
        List<String> joined = pending.entrySet().stream()
                .filter(group -> group.getValue().stream().allMatch(this::hasJoined))
                .map(Map.Entry::getKey)
                .toList();
        for (List<String> batch : Batches.ofGroups(joined)) {
            Map<String, List<C>> asked = new LinkedHashMap<>();
            batch.forEach(id -> asked.put(id, pending.getOrDefault(id, List.of())));
            pending.keySet().removeAll(complete(asked, deadline));
        }
        return pending.isEmpty();
    }

    private String example(Map<String, List<C>> pending) {
        Map.Entry<String, List<C>> group = pending.entrySet().iterator().next();
        long joined = group.getValue().stream().filter(this::hasJoined).count();
        return "such as '" + group.getKey() + "', which " + joined + " of "
                + group.getValue().size() + " consumers have joined";
    }

    // Deleting

    /** Deletes the groups of these topics, including those of other workers; a missing group is no error. */
    void deleteOf(List<TopicSpec> topics) throws DriverException, InterruptedException {
        Deadline deadline = Deadline.in(context.timeout());
        Set<String> names = topics.stream().map(TopicSpec::name).collect(Collectors.toSet());
        ListGroupsOptions options = new ListGroupsOptions().timeoutMs(deadline.leftMs());
        KafkaFuture<Collection<GroupListing>> answer = admin.listGroups(options).all();
        List<String> known = CALLS.await("list consumer groups", deadline, answer).stream()
                .map(GroupListing::groupId)
                .filter(id -> id.startsWith(prefix))
                .toList();
        List<String> ids = List.copyOf(groupsOf(names, known, deadline));
        for (List<String> batch : Batches.ofGroups(ids)) {
            deleteBatch(batch, Deadline.in(context.timeout()));
        }
    }

    /** The topic, which may contain dots, in the name of a group of this run; empty text if the name contains none. */
    final String topicOf(String id) {
        int end = id.lastIndexOf('.');
        return end < prefix.length() ? "" : id.substring(prefix.length(), end);
    }

    /**
     * Deletes groups; one that an earlier attempt deleted is missing in the next. Kafka deletes no group that has
     * members: it may not yet have noticed that the last one left, and a client that died without leaving stays a
     * member until its session times out.
     */
    private void deleteBatch(List<String> ids, Deadline deadline) throws DriverException, InterruptedException {
        long tellNs = System.nanoTime() + TELL_AFTER.toNanos();
        while (true) {
            try {
                KafkaCalls.all(
                        delete(ids, deadline.leftMs()),
                        deadline,
                        id -> "delete the consumer group '" + id + "'",
                        GroupIdNotFoundException.class);
                forget(ids, deadline);
                return;
            } catch (DriverException e) {
                if (!(e.getCause() instanceof GroupNotEmptyException) || deadline.hasPassed()) {
                    throw e;
                }
            }
            String awaited = removeMembers(ids, deadline);
            if (System.nanoTime() >= tellNs) {
                tellNs += TELL_EVERY.toNanos();
                context.events().waits(awaited);
            }
            deadline.pause(PAUSE_BETWEEN_LOOKS);
        }
    }

    // Release

    /** Waits until the clients of closed consumers are released. */
    void awaitReleased(Deadline deadline) throws DriverException {
        long left = clients.stream()
                .filter(client -> !client.awaitReleased(deadline))
                .count();
        if (left > 0) {
            throw deadline.missed("the clients of " + left + " closed consumers to be released", null);
        }
    }
}
