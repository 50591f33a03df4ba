package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.protocol.Call;
import io.openmessaging.benchmark.worker.protocol.Exchange.WireReply;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerLostException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to all members of a group at once, and detects which members are lost: these get no more requests.
 * Used by one thread at a time.
 */
final class MemberCalls {

    private static final Logger LOG = LoggerFactory.getLogger(MemberCalls.class);

    /** Silence of all members after which those that have to answer are checked for losses, in milliseconds. */
    private static final long LOOK_MS = 20;

    /** Time that a request has to end after it was given up. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(1);

    /** Makes the call for one of the members. */
    @FunctionalInterface
    interface Request<T> {
        Call<T> to(int index, Member member);
    }

    /**
     * Conditions of a request to all members.
     *
     * @param doing purpose of the request, in words that follow "was lost while"; used only if all members are needed
     * @param needsAll true if the request fails as soon as one member fails or is lost; false to wait for the others
     * @param byNs time by which all must have answered, by the coordinator's clock
     */
    record Terms(String doing, boolean needsAll, long byNs) {

        /** Fails if any member fails or is lost. */
        static Terms all(String doing) {
            return new Terms(doing, true, Long.MAX_VALUE);
        }

        /** Addresses all members that are not lost. */
        static Terms remaining() {
            return new Terms("", false, Long.MAX_VALUE);
        }

        /** Sets the time by which all must have answered. */
        Terms by(long ns) {
            return new Terms(doing, needsAll, ns);
        }
    }

    /** Some members did not answer in time. */
    static final class LateException extends DriverException {

        private static final long serialVersionUID = 1L;

        LateException(String names) {
            super(names);
        }
    }

    private final List<Member> members;
    private final List<Worker.Lost> lost = new ArrayList<>();
    private final BitSet lostOnes = new BitSet();
    private final LongSupplier clock;
    private final Consumer<String> progress;

    /**
     * Creates an instance that has sent nothing yet.
     *
     * @param clock the coordinator's clock, epoch nanoseconds
     * @param progress receives about once a second the progress of one of the members that have not answered yet
     */
    MemberCalls(List<Member> members, LongSupplier clock, Consumer<String> progress) {
        this.members = members;
        this.clock = clock;
        this.progress = progress;
    }

    /** The lost members, in the order in which they were lost; without what they had in flight. */
    List<Worker.Lost> lost() {
        return List.copyOf(lost);
    }

    boolean isLost(int index) {
        return lostOnes.get(index);
    }

    /** Returns whether a member is lost, possibly since just now. */
    private boolean look(int index) {
        Member member = members.get(index);
        Optional<String> reason = isLost(index) ? Optional.empty() : member.lost();
        if (reason.isPresent()) {
            lostOnes.set(index);
            lost.add(new Worker.Lost(index, member.name(), clock.getAsLong(), reason.get(), 0));
            LOG.error("{} was lost: {}", member.name(), reason.get());
        }
        return isLost(index);
    }

    /** Sends the same call to all members that are not lost. */
    <T> SortedMap<Integer, T> ask(Terms terms, Call<T> call) throws DriverException, InterruptedException {
        return ask(terms, (index, member) -> call);
    }

    /**
     * Sends a request to all members that are not lost.
     *
     * @return answers of the members that were not lost meanwhile, by index
     * @throws DriverException the first failure, with the name of the member
     */
    <T> SortedMap<Integer, T> ask(Terms terms, Request<T> request) throws DriverException, InterruptedException {
        refuseLost(terms);
        Asked<T> asked = new Asked<>(terms, request);
        try {
            asked.await();
        } catch (InterruptedException e) {
            asked.giveUp();
            throw e;
        }
        SortedMap<Integer, T> answers = asked.answers();
        refuseLost(terms);
        return answers;
    }

    /** Checks which members are lost, and throws if all are needed and one is lost. */
    void refuseLost(Terms terms) throws WorkerLostException {
        for (int index = 0; index < members.size(); index++) {
            look(index);
        }
        if (terms.needsAll() && !lost.isEmpty()) {
            Worker.Lost first = lost.get(0);
            throw new WorkerLostException(first.name() + " was lost while " + terms.doing() + ": " + first.reason());
        }
    }

    /** The outcome of a request at one member. */
    private record Done<T>(
            int index, @Nullable T answer, @Nullable Throwable failure) {

        static <T> Done<T> of(int index, Call<T> call, @Nullable WireReply reply, @Nullable Throwable failure) {
            try {
                return reply == null
                        ? new Done<>(index, null, failure instanceof CompletionException ? failure.getCause() : failure)
                        : new Done<>(index, call.read(reply), null);
            } catch (DriverException | RuntimeException | Error e) {
                return new Done<>(index, null, e);
            }
        }
    }

    /** A request that is in flight. */
    private final class Asked<T> {

        private final Terms terms;
        private final BlockingQueue<Done<T>> done = new LinkedBlockingQueue<>();
        private final BitSet pending = new BitSet();
        private final SortedMap<Integer, T> answers = new TreeMap<>();
        private @Nullable DriverException first;
        private long nextProgressNs = clock.getAsLong() + PROGRESS_NS;

        Asked(Terms terms, Request<T> request) {
            this.terms = terms;
            pending.set(0, members.size());
            pending.andNot(lostOnes);
            pending.stream().forEach(index -> {
                Member member = members.get(index);
                Call<T> call = request.to(index, member);
                var unused = member.exchange(call.request(), call.body())
                        .whenComplete((reply, failure) -> done.add(Done.of(index, call, reply, failure)));
            });
        }

        void await() throws DriverException, InterruptedException {
            while (!pending.isEmpty()) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(terms.byNs() - clock.getAsLong());
                Done<T> one = done.poll(Math.max(0, Math.min(LOOK_MS, leftMs)), TimeUnit.MILLISECONDS);
                if (one == null) {
                    abandonLost();
                } else {
                    note(one);
                }
                if (terms.needsAll() && (first != null || !lost.isEmpty())) {
                    giveUp();
                    break;
                }
                if (!pending.isEmpty() && clock.getAsLong() >= terms.byNs()) {
                    String late = names();
                    giveUp();
                    throw new LateException(late);
                }
                tellProgress();
            }
        }

        private void note(Done<T> one) {
            if (!pending.get(one.index)) {
                return;
            }
            pending.clear(one.index);
            if (one.failure == null) {
                answers.put(one.index, one.answer);
                return;
            }
            if (look(one.index)) {
                return;
            }
            Member member = members.get(one.index);
            if (first == null) {
                first = named(member, one.failure);
            } else {
                LOG.warn("Another worker failed as well: {}", member.name(), one.failure);
            }
        }

        private void abandonLost() {
            BitSet gone = lostNow();
            gone.stream().forEach(index -> members.get(index).giveUp());
            pending.andNot(gone);
        }

        /** Returns the pending members that are lost. */
        private BitSet lostNow() {
            return pending.stream().filter(MemberCalls.this::look).collect(BitSet::new, BitSet::set, BitSet::or);
        }

        /** Gives up pending requests and waits for their end. */
        void giveUp() {
            pending.stream().forEach(index -> members.get(index).giveUp());
            boolean interrupted = false;
            long untilNs = System.nanoTime() + PATIENCE_NS;
            while (!pending.isEmpty() && System.nanoTime() < untilNs) {
                try {
                    Done<T> one = done.poll(LOOK_MS, TimeUnit.MILLISECONDS);
                    if (one == null) {
                        pending.andNot(lostNow());
                    } else {
                        pending.clear(one.index);
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private String names() {
            return pending.stream().mapToObj(index -> members.get(index).name()).collect(Collectors.joining(", "));
        }

        private void tellProgress() {
            if (clock.getAsLong() < nextProgressNs) {
                return;
            }
            nextProgressNs += PROGRESS_NS;
            pending.stream()
                    .filter(index -> !members.get(index).progress().isEmpty())
                    .findFirst()
                    .ifPresent(index -> progress.accept(String.format(
                            Locale.ROOT,
                            "worker %d of %d: %s",
                            index + 1,
                            members.size(),
                            members.get(index).progress())));
        }

        SortedMap<Integer, T> answers() throws DriverException {
            if (first != null) {
                throw first;
            }
            return answers;
        }
    }

    private static DriverException named(Member member, Throwable failure) {
        String name = member.name() + ": ";
        if (failure instanceof DriverException && failure.getMessage() != null) {
            String sentence = failure.getMessage();
            return new DriverException(sentence.startsWith(name) ? sentence : name + sentence, failure);
        }
        return new DriverException(name + "unexpected error: " + failure, failure);
    }
}
