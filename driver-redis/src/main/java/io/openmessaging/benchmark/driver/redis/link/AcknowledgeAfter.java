package io.openmessaging.benchmark.driver.redis.link;

import io.openmessaging.benchmark.driver.Checked;
import io.openmessaging.benchmark.driver.Default;
import io.openmessaging.benchmark.driver.Problems;
import io.openmessaging.benchmark.driver.Range;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Where a message must be stored before it counts as acknowledged, besides the memory of the server that received it.
 * The driver asks Redis with {@code WAIT}, or {@code WAITAOF} for storage on disk; both cover all earlier commands on
 * their connection.
 *
 * @param replicas number of replicas that must have the message; with {@code aof}, on their disk
 * @param aof true if the message must also be on disk in the append-only file of the server (since Redis 7.2)
 * @param timeout time for which Redis waits for that; a message that misses it has failed, although it may still
 *     arrive
 */
public record AcknowledgeAfter(
        @Default("0") @Range(from = "0", to = "1_000") int replicas,
        @Default("false") boolean aof,
        @Default("1s") @Range(from = "1ms", to = "1h") Duration timeout)
        implements Checked {

    @Override
    public void check(Problems problems) {
        problems.require(replicas > 0 || aof, "replicas", "must be at least 1, unless aof is true", replicas);
    }

    /**
     * Returns the commands to send after those they are about; the reply to the last one decides.
     *
     * <p>A replica reports its progress before it syncs what it has just received, and again a second later. Replicas
     * that sync at once are therefore asked twice: the reply to {@code WAIT} comes after the sync, so {@code WAITAOF}
     * finds it done.
     */
    List<CommandArguments> questions() {
        CommandArguments replicated =
                new CommandArguments(Command.WAIT).add(replicas).add(timeout.toMillis());
        return aof && replicas > 0 ? List.of(replicated, question()) : List.of(question());
    }

    /** Returns the command whose reply decides. */
    public CommandArguments question() {
        CommandArguments command =
                aof ? new CommandArguments(Command.WAITAOF).add(1) : new CommandArguments(Command.WAIT);
        return command.add(replicas).add(timeout.toMillis());
    }

    /**
     * Interprets the reply to {@link #question}.
     *
     * @return null if all is well, else what is missing
     */
    public @Nullable IOException shortfall(@Nullable Object answer) {
        List<?> counts = aof ? (List<?>) answer : null;
        Object confirmed = counts == null ? answer : counts.get(1);
        String where = aof ? " on disk" : "";
        String late = " within " + timeout.toMillis() + " ms; Redis has the message in memory";
        if (counts != null && !Long.valueOf(1).equals(counts.get(0))) {
            return new IOException("the append-only file was not on disk" + late);
        }
        return confirmed instanceof Long count && count >= replicas
                ? null
                : new IOException("only " + confirmed + " of " + replicas + " replicas had the message" + where + late);
    }
}
