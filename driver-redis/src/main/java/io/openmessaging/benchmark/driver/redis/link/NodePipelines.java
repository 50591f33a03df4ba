package io.openmessaging.benchmark.driver.redis.link;

import static io.openmessaging.benchmark.driver.redis.link.RedisCalls.CALLS;

import io.openmessaging.benchmark.driver.Deadline;
import io.openmessaging.benchmark.driver.DriverEvents;
import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.driver.SendCallback;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The pipelines of one producer, one to each node that has keys of its topic. A pipeline whose connection is lost
 * fails the commands in flight; the next message opens another one, at most once a second.
 *
 * <p>Where keys can move to another node, commands refused for that reason ({@code MOVED}, {@code ASK}) are submitted
 * again once nothing is in flight, so that commands with the same key keep their order; later commands wait for that.
 * The sending thread does this or, if that does not send, another one.
 */
public final class NodePipelines {

    private static final Duration REOPEN_PAUSE = Duration.ofSeconds(1);

    /** The limit of other clients. */
    private static final int MOST_REDIRECTIONS = 16;

    /** Nodes that redirect to each other need a moment to agree. */
    private static final int REDIRECTIONS_WITHOUT_PAUSE = 2;

    private static final long REDIRECTION_PAUSE_MS = 50;

    private final PipelineSpec spec;
    private final List<String> keys;
    private final Directory directory;
    private final Links links;
    private final DriverEvents events;
    private final Executor follower;
    private final Map<HostAndPort, NodePipeline> nodePipelines = new ConcurrentHashMap<>();

    /** Held by the submitting thread, where there may be several. */
    private final ReentrantLock turn = new ReentrantLock();

    private final CommandSink[] sinks;
    private final @Nullable NodePipeline[] nodePipelineOfKey;
    private RedisTopology topology;
    private final Queue<Repeatable> redirected = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean following = new AtomicBoolean();

    /** True after a node refused commands for its own keys, so that the topology must be requested again. */
    private volatile boolean outdated;

    private volatile boolean closed;

    /**
     * Connects to the nodes. Blocks uninterruptibly; {@link Links#breakOff} ends it.
     *
     * @param keys keys by index; each command names one
     * @param links connections of this producer only; closed with it
     * @param follower runs the redirections of an idle producer
     * @throws JedisException if a node cannot be reached
     */
    public NodePipelines(
            PipelineSpec spec,
            List<String> keys,
            Directory directory,
            Links links,
            DriverEvents events,
            Executor follower) {
        this.spec = spec;
        this.keys = keys;
        this.directory = directory;
        this.links = links;
        this.events = events;
        this.follower = follower;
        this.topology = directory.current();
        this.nodePipelineOfKey = new @Nullable NodePipeline[keys.size()];
        this.sinks = new CommandSink[keys.size()];
        try {
            for (int key = 0; key < sinks.length; key++) {
                NodePipeline nodePipeline = nodePipelineOf(key);
                if (nodePipeline.pipeline == null) {
                    nodePipeline.pipeline = nodePipeline.connect();
                }
                sinks[key] = directory.follows() ? repeating(key) : nodePipeline;
            }
        } catch (JedisException e) {
            close(Deadline.in(Duration.ZERO));
            throw e;
        }
    }

    /** Sends the commands for one node and reopens the connection when it is lost. */
    private final class NodePipeline implements CommandSink {

        private final HostAndPort node;

        /** Replaced by the sending thread when it is lost; null until the node is first reached. */
        private volatile @Nullable CommandPipeline pipeline;

        private Throwable refusal = new IOException("there was no connection yet");
        private long notReopenedBeforeNs = System.nanoTime();

        NodePipeline(HostAndPort node) {
            this.node = node;
        }

        private CommandPipeline connect() {
            return new CommandPipeline(
                    spec, links.open(node), cause -> events.clientError("producer connection lost", cause));
        }

        private boolean isLost() {
            CommandPipeline open = pipeline;
            return open == null || open.isLost();
        }

        private boolean mayReopen() {
            return System.nanoTime() - notReopenedBeforeNs >= 0;
        }

        /** Reopens a lost connection. If that fails, the pipeline stays as it is and refuses commands. */
        private void reopenIfLost() throws InterruptedException {
            if (!isLost() || !mayReopen()) {
                return;
            }
            try {
                pipeline = CALLS.run(
                        "reach Redis at " + node + " again",
                        Deadline.in(spec.timeout()),
                        this::connect,
                        late -> {},
                        links::breakOff);
            } catch (DriverException e) {
                refusal = e;
                events.clientError("producer connection", e);
            }
            notReopenedBeforeNs = System.nanoTime() + REOPEN_PAUSE.toNanos();
        }

        @Override
        public void submit(CommandArguments command, SendCallback callback) throws InterruptedException {
            CommandPipeline open = pipeline;
            if (open == null) {
                callback.failed(refusal);
            } else {
                open.submit(command, callback);
            }
        }

        private void awaitAnswers(Deadline deadline) throws InterruptedException {
            CommandPipeline open = pipeline;
            if (open != null) {
                open.awaitAnswers(deadline);
            }
        }
    }

    /** A command that is submitted again if it reached the wrong node. */
    private final class Repeatable implements SendCallback {

        private final int key;
        private final CommandArguments command;
        private final SendCallback callback;
        private volatile int redirections;

        /** The node to ask just this once; null for the one that has the key. */
        private volatile @Nullable HostAndPort asked;

        Repeatable(int key, CommandArguments command, SendCallback callback) {
            this.key = key;
            this.command = command;
            this.callback = callback;
        }

        @Override
        public void acknowledged() {
            callback.acknowledged();
        }

        @Override
        public void failed(Throwable cause) {
            if (!closed && cause instanceof JedisRedirectionException to && redirections < MOST_REDIRECTIONS) {
                redirections = redirections + 1;
                boolean once = cause instanceof JedisAskDataException || !directory.moved(to);
                asked = once ? to.getTargetNode() : null;
                redirected.add(this);
                followSoon();
                return;
            }
            String words = String.valueOf(cause.getMessage());
            if (words.startsWith("READONLY") || words.startsWith("CLUSTERDOWN")) {
                outdated = true;
            }
            callback.failed(cause);
        }
    }

    private CommandSink repeating(int key) {
        return (command, callback) -> nodePipelineOf(key).submit(command, new Repeatable(key, command, callback));
    }

    private NodePipeline nodePipelineOf(int key) {
        NodePipeline nodePipeline = nodePipelineOfKey[key];
        if (nodePipeline == null) {
            nodePipeline = nodePipelines.computeIfAbsent(topology.nodeOf(keys.get(key)), NodePipeline::new);
            nodePipelineOfKey[key] = nodePipeline;
        }
        return nodePipeline;
    }

    /**
     * Returns the sink for commands with a key; {@link #end} must follow. May block while a connection is opened
     * again.
     */
    public CommandSink begin(int key) throws InterruptedException {
        if (!directory.follows()) {
            nodePipelineOf(key).reopenIfLost();
            return sinks[key];
        }
        turn.lockInterruptibly();
        boolean ready = false;
        try {
            settle();
            NodePipeline nodePipeline = nodePipelineOf(key);
            if ((outdated || nodePipeline.isLost()) && nodePipeline.mayReopen()) {
                outdated = false;
                lookAgain();
                settle();
                nodePipelineOf(key).reopenIfLost();
                nodePipeline.notReopenedBeforeNs = System.nanoTime() + REOPEN_PAUSE.toNanos();
            }
            ready = true;
            return sinks[key];
        } finally {
            if (!ready) {
                turn.unlock();
            }
        }
    }

    /** Ends what {@link #begin} started. */
    public void end() {
        if (directory.follows()) {
            turn.unlock();
        }
    }

    private void lookAgain() throws InterruptedException {
        try {
            CALLS.ask("find out which node has which key", Deadline.in(spec.timeout()), directory::refreshed);
        } catch (DriverException e) {
            events.clientError("producer connection", e);
        }
    }

    private void followSoon() {
        if (following.compareAndSet(false, true)) {
            try {
                follower.execute(this::follow);
            } catch (RejectedExecutionException e) {
                // The run is over: closing this producer handles the rest.
            }
        }
    }

    private void follow() {
        following.set(false);
        try {
            turn.lockInterruptibly();
            try {
                settle();
            } finally {
                turn.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Submits redirected commands again and adopts the current topology, each time after waiting until nothing is in
     * flight.
     */
    private void settle() throws InterruptedException {
        while (topology != directory.current() || !redirected.isEmpty()) {
            awaitAnswers(Deadline.in(spec.answerLimit()));
            topology = directory.current();
            Arrays.fill(nodePipelineOfKey, null);
            List<Repeatable> again = new ArrayList<>();
            for (Repeatable next = redirected.poll(); next != null; next = redirected.poll()) {
                again.add(next);
            }
            int done = 0;
            try {
                if (again.stream().anyMatch(one -> one.redirections > REDIRECTIONS_WITHOUT_PAUSE)) {
                    TimeUnit.MILLISECONDS.sleep(REDIRECTION_PAUSE_MS);
                }
                for (; done < again.size(); done++) {
                    submitAgain(again.get(done));
                }
            } catch (InterruptedException e) {
                again.subList(done, again.size()).forEach(one -> one.callback.failed(e));
                throw e;
            }
        }
    }

    private void submitAgain(Repeatable one) throws InterruptedException {
        HostAndPort asked = one.asked;
        if (asked == null) {
            NodePipeline nodePipeline = nodePipelineOf(one.key);
            nodePipeline.reopenIfLost();
            nodePipeline.submit(one.command, one);
            return;
        }
        NodePipeline nodePipeline = nodePipelines.computeIfAbsent(asked, NodePipeline::new);
        nodePipeline.reopenIfLost();
        nodePipeline.submit(new CommandArguments(Command.ASKING), CommandPipeline.NOBODY);
        nodePipeline.submit(one.command, one);
    }

    private void awaitAnswers(Deadline deadline) throws InterruptedException {
        for (NodePipeline nodePipeline : nodePipelines.values()) {
            nodePipeline.awaitAnswers(deadline);
        }
    }

    /** Writes held-back commands; may be called by any thread. */
    public void flush() {
        for (NodePipeline nodePipeline : nodePipelines.values()) {
            CommandPipeline open = nodePipeline.pipeline;
            if (open != null) {
                open.flush();
            }
        }
    }

    /**
     * Waits for replies until the deadline and closes all connections. Every callback has been called when this
     * returns. If the thread is interrupted, it does not wait and the interrupt status is left set.
     */
    public void close(Deadline deadline) {
        try {
            if (directory.follows() && !deadline.hasPassed() && turn.tryLock(deadline.leftNs(), TimeUnit.NANOSECONDS)) {
                try {
                    do {
                        settle();
                        awaitAnswers(deadline);
                    } while (!redirected.isEmpty() && !deadline.hasPassed());
                } finally {
                    turn.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed = true;
        for (NodePipeline nodePipeline : nodePipelines.values()) {
            CommandPipeline open = nodePipeline.pipeline;
            if (open != null) {
                open.close(deadline);
            }
        }
        for (Repeatable left = redirected.poll(); left != null; left = redirected.poll()) {
            left.callback.failed(
                    new IOException("The producer was closed before the command was sent to another node."));
        }
        links.close();
    }
}
