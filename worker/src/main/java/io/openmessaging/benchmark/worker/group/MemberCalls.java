package io.openmessaging.benchmark.worker.group;

import io.openmessaging.benchmark.driver.DriverException;
import io.openmessaging.benchmark.worker.protocol.Worker;
import io.openmessaging.benchmark.worker.protocol.WorkerLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests to all members of a group at once, each on a thread of its own, and detects which members are lost:
 * these get no more requests. Used by one thread at a time.
 */
final class MemberCalls implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MemberCalls.class);

    /** Interval between checks whether a member that has to answer is lost, in milliseconds. */
    private static final long LOOK_MS = 20;

    /** Time that an interrupted request has to react. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(1);

    /** A request to one of the members. */
    @FunctionalInterface
    interface Request<T> {
        T send(int index, Member member) throws DriverException, InterruptedException;
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

    private final List<MemberThread> threads = new ArrayList<>();
    private final List<Worker.Lost> lost = new ArrayList<>();
    private final LongSupplier clock;
    private final Consumer<String> progress;

    /**
     * Creates the threads of the members without sending a request.
     *
     * @param clock the coordinator's clock, epoch nanoseconds
     * @param progress receives about once a second the progress of one of the members that have not answered yet
     */
    MemberCalls(List<Member> members, LongSupplier clock, Consumer<String> progress) {
        this.clock = clock;
        this.progress = progress;
        for (int i = 0; i < members.size(); i++) {
            threads.add(new MemberThread(i, members.get(i)));
        }
    }

    /** A member with its thread. */
    private static final class MemberThread {

        final int index;
        final Member member;
        private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        private final Thread thread;
        private volatile boolean closed;

        /** Used only by the thread that makes requests. */
        boolean lost;

        MemberThread(int index, Member member) {
            this.index = index;
            this.member = member;
            this.thread = new Thread(this::work, "worker-" + (index + 1));
            thread.setDaemon(true);
        }

        private void work() {
            while (!closed) {
                try {
                    tasks.take().run();
                } catch (InterruptedException e) {
                    // Closed, or the request ended just before it would have been interrupted.
                }
            }
        }

        void ask(Runnable task) {
            if (!thread.isAlive()) {
                thread.start();
            }
            tasks.add(task);
        }

        void interrupt() {
            thread.interrupt();
        }

        void close() {
            closed = true;
            thread.interrupt();
        }
    }

    /** The lost members, in the order in which they were lost; without what they had in flight. */
    List<Worker.Lost> lost() {
        return List.copyOf(lost);
    }

    boolean isLost(int index) {
        return threads.get(index).lost;
    }

    /** Checks which members are lost. */
    void look() {
        threads.forEach(this::look);
    }

    private void look(MemberThread thread) {
        Optional<String> reason = thread.lost ? Optional.empty() : thread.member.lost();
        if (reason.isPresent()) {
            thread.lost = true;
            lost.add(new Worker.Lost(thread.index, thread.member.name(), clock.getAsLong(), reason.get(), 0));
            LOG.error("{} was lost: {}", thread.member.name(), reason.get());
        }
    }

    /**
     * Sends a request to all members that are not lost.
     *
     * @return answers of the members that were not lost meanwhile, by index
     * @throws DriverException the first failure, with the name of the member
     */
    <T> SortedMap<Integer, T> ask(Terms terms, Request<T> request) throws DriverException, InterruptedException {
        look();
        throwIfLost(terms);
        Asked<T> asked = new Asked<>(terms, request);
        try {
            asked.await();
        } catch (InterruptedException e) {
            asked.interrupt();
            throw e;
        }
        SortedMap<Integer, T> answers = asked.answers();
        look();
        throwIfLost(terms);
        return answers;
    }

    private void throwIfLost(Terms terms) throws WorkerLostException {
        if (terms.needsAll() && !lost.isEmpty()) {
            Worker.Lost first = lost.get(0);
            throw new WorkerLostException(first.name() + " was lost while " + terms.doing() + ": " + first.reason());
        }
    }

    /** One member's part of a request. */
    private static final class MemberRequest {

        final MemberThread thread;
        private volatile boolean interrupted;

        MemberRequest(MemberThread thread) {
            this.thread = thread;
        }

        <T> Done<T> take(Request<T> request) {
            try {
                // Clears an interrupt that was meant for the previous request and came too late.
                Thread.interrupted();
                if (interrupted) {
                    throw new InterruptedException("before it began");
                }
                return new Done<>(thread, request.send(thread.index, thread.member), null);
            } catch (DriverException | InterruptedException | RuntimeException | Error e) {
                return new Done<>(thread, null, e);
            }
        }

        void interrupt() {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** The outcome of a request at one member. */
    private record Done<T>(
            MemberThread thread,
            @Nullable T answer,
            @Nullable Throwable failure) {}

    /** A request that is in flight. */
    private final class Asked<T> {

        private final Terms terms;
        private final BlockingQueue<Done<T>> done = new LinkedBlockingQueue<>();
        private final Map<Integer, MemberRequest> pending = new TreeMap<>();
        private final SortedMap<Integer, T> answers = new TreeMap<>();
        private @Nullable DriverException first;
        private long nextProgressNs = clock.getAsLong() + PROGRESS_NS;

        Asked(Terms terms, Request<T> request) {
            this.terms = terms;
            for (MemberThread thread : threads) {
                if (!thread.lost) {
                    MemberRequest part = new MemberRequest(thread);
                    pending.put(thread.index, part);
                    thread.ask(() -> done.add(part.take(request)));
                }
            }
        }

        void await() throws DriverException, InterruptedException {
            while (!pending.isEmpty()) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(terms.byNs() - clock.getAsLong());
                note(done.poll(Math.max(0, Math.min(LOOK_MS, leftMs)), TimeUnit.MILLISECONDS));
                abandonLost();
                if (terms.needsAll() && (first != null || !lost.isEmpty())) {
                    interrupt();
                    break;
                }
                if (!pending.isEmpty() && clock.getAsLong() >= terms.byNs()) {
                    String late = names();
                    interrupt();
                    throw new LateException(late);
                }
                tellProgress();
            }
        }

        private void note(@Nullable Done<T> one) {
            if (one == null || pending.remove(one.thread.index) == null) {
                return;
            }
            if (one.failure == null) {
                answers.put(one.thread.index, one.answer);
                return;
            }
            look(one.thread);
            if (one.thread.lost) {
                return;
            }
            if (first == null) {
                first = named(one.thread.member, one.failure);
            } else {
                LOG.warn("Another worker failed as well: {}", one.thread.member.name(), one.failure);
            }
        }

        private void abandonLost() {
            for (MemberRequest part : List.copyOf(pending.values())) {
                look(part.thread);
                if (part.thread.lost) {
                    pending.remove(part.thread.index);
                    part.interrupt();
                }
            }
        }

        /** Interrupts pending requests and waits for their end. */
        void interrupt() {
            pending.values().forEach(MemberRequest::interrupt);
            boolean interrupted = false;
            long untilNs = System.nanoTime() + PATIENCE_NS;
            while (!pending.isEmpty() && System.nanoTime() < untilNs) {
                try {
                    Done<T> one = done.poll(LOOK_MS, TimeUnit.MILLISECONDS);
                    if (one != null) {
                        pending.remove(one.thread.index);
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
            return pending.values().stream()
                    .map(part -> part.thread.member.name())
                    .collect(Collectors.joining(", "));
        }

        private void tellProgress() {
            if (clock.getAsLong() < nextProgressNs) {
                return;
            }
            nextProgressNs += PROGRESS_NS;
            for (MemberRequest part : pending.values()) {
                String text = part.thread.member.progress();
                if (!text.isEmpty()) {
                    progress.accept(String.format(
                            Locale.ROOT, "worker %d of %d: %s", part.thread.index + 1, threads.size(), text));
                    return;
                }
            }
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

    @Override
    public void close() {
        threads.forEach(MemberThread::close);
    }
}
