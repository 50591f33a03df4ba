package io.openmessaging.benchmark.plan;

import io.openmessaging.benchmark.binding.DurationText;
import io.openmessaging.benchmark.plan.Manifest.Entry;
import io.openmessaging.benchmark.plan.Manifest.Status;
import io.openmessaging.benchmark.result.Environment;
import io.openmessaging.benchmark.result.Verdict;
import io.openmessaging.benchmark.result.file.ResultFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of a plan's results. It belongs to one process at a time. The manifest is replaced as a whole after each
 * run, and each result is written before the manifest refers to it. So whenever the process ends, even by force, the
 * next one can determine what is done.
 */
public final class PlanFolder implements AutoCloseable {

    private static final String RUNS = "runs";
    private static final String LOCK = ".lock";
    private static final String INTERRUPTED = "interrupted";

    /** Maximum number of folders created in the same second; more indicate a mistake. */
    private static final int MAX_NUMBER = 100;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Path path;
    private final Environment environment;
    private final FileChannel lock;
    private final boolean resumed;
    private Manifest manifest;

    private PlanFolder(Path path, Environment environment, FileChannel lock, boolean resumed, Manifest manifest) {
        this.path = path;
        this.environment = environment;
        this.lock = lock;
        this.resumed = resumed;
        this.manifest = manifest;
    }

    /**
     * Returns the folder to work in: the newest unfinished one that the same command created, or else a new one.
     *
     * @param parent folder that contains the folders of results
     * @param fresh whether to create a new one in any case
     * @param environment description of this machine for the manifest
     * @throws PlanException if the files of the plan have changed since the folder was created, if another process
     *     works in it, or if it cannot be written
     */
    public static PlanFolder open(Path parent, Plan plan, boolean fresh, Clock clock, Environment environment)
            throws PlanException {
        Optional<Path> unfinished = fresh ? Optional.empty() : unfinished(parent, plan);
        try {
            return unfinished.isPresent()
                    ? resume(unfinished.get(), plan, environment)
                    : create(parent, plan, clock, environment);
        } catch (IOException e) {
            throw new PlanException(unfinished.orElse(parent) + ": cannot write results: " + ResultFiles.reason(e));
        }
    }

    /** Returns the folder that {@link #open} would resume. */
    public static Optional<Path> unfinished(Path parent, Plan plan) {
        Pattern name = Pattern.compile(Pattern.quote(plan.name()) + "-\\d{8}-\\d{6}(?:-\\d+)?");
        if (!Files.isDirectory(parent)) {
            return Optional.empty();
        }
        try (Stream<Path> entries = Files.list(parent)) {
            // A newer one that is complete has superseded the others.
            return entries.filter(entry ->
                            name.matcher(String.valueOf(entry.getFileName())).matches())
                    .filter(entry -> isOfRequest(entry, plan))
                    .max(Comparator.comparing(entry -> String.valueOf(entry.getFileName())))
                    .filter(entry -> isUnfinished(entry, plan));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean isUnfinished(Path folder, Plan plan) {
        try {
            return Manifest.read(folder).runs().stream()
                    .anyMatch(entry -> entry.status() == Status.PENDING || isToRepeat(folder, entry, plan));
        } catch (PlanException e) {
            return false;
        }
    }

    private static boolean isOfRequest(Path folder, Plan plan) {
        try {
            Manifest found = Manifest.read(folder);
            PlanRequest request = plan.request();
            return found.timeScale() == request.timeScale().factor()
                    && found.only().equals(request.only())
                    && Objects.equals(found.repetitions(), request.repetitions())
                    && Objects.equals(found.cooldown(), cooldown(request));
        } catch (PlanException e) {
            return false;
        }
    }

    private static @Nullable String cooldown(PlanRequest request) {
        return request.cooldown() == null ? null : DurationText.format(request.cooldown());
    }

    /**
     * Returns whether a resumed plan repeats a run: it failed once, and not as the plan expects, or its system could
     * not run.
     */
    private static boolean isToRepeat(Path folder, Entry entry, Plan plan) {
        if (entry.number() > plan.runs().size()) {
            return false;
        }
        PlannedRun run = plan.runs().get(entry.number() - 1);
        boolean expected = run.isExpectedToFail() && hasFailedUnderLoad(folder, entry);
        return entry.hasFailedOnce() && !expected || entry.status() == Status.SKIPPED && run.selected();
    }

    private static PlanFolder create(Path parent, Plan plan, Clock clock, Environment environment)
            throws IOException, PlanException {
        Files.createDirectories(parent);
        Path folder = newFolder(parent, plan.name() + "-" + TIME.format(clock.instant()));
        Files.createDirectories(folder.resolve(RUNS));
        PlanRequest request = plan.request();
        Manifest manifest = new Manifest(
                plan.name(),
                request.file().toAbsolutePath().normalize().toString(),
                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                request.timeScale().factor(),
                request.only(),
                request.repetitions(),
                cooldown(request),
                plan.drawSeed(),
                plan.digests(),
                plan.runs().stream().map(PlanFolder::toDo).toList());
        PlanFolder created = new PlanFolder(folder, environment, locked(folder), false, manifest);
        created.save();
        return created;
    }

    private static Path newFolder(Path parent, String name) throws IOException {
        for (int number = 1; number <= MAX_NUMBER; number++) {
            Path folder = parent.resolve(number == 1 ? name : name + "-" + number);
            try {
                return Files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                // Another folder was created in the same second; try the next name.
            }
        }
        throw new IOException("there are " + MAX_NUMBER + " folders named " + name + " already");
    }

    private static Entry toDo(PlannedRun run) {
        Status status = run.selected() ? Status.PENDING : Status.SKIPPED;
        String reason = run.selected() ? null : "left out by --only";
        return new Entry(run.number(), run.cell(), run.repetition(), status, reason, null, null, 0);
    }

    private static PlanFolder resume(Path folder, Plan plan, Environment environment)
            throws IOException, PlanException {
        FileChannel lock = locked(folder);
        try {
            // Read again under the lock, since nobody else changes it from now on.
            Manifest found = Manifest.read(folder);
            refuseChanges(folder, found, plan);
            PlanFolder resumed = new PlanFolder(folder, environment, lock, true, found);
            resumed.takeStock(plan);
            return resumed;
        } catch (PlanException | IOException e) {
            lock.close();
            throw e;
        }
    }

    private static void refuseChanges(Path folder, Manifest found, Plan plan) throws PlanException {
        String changed = Stream.of(plan.digests(), found.digests())
                .flatMap(digests -> digests.keySet().stream())
                .distinct()
                .filter(file -> !Objects.equals(
                        plan.digests().get(file), found.digests().get(file)))
                .map(file -> String.valueOf(Path.of(file).getFileName()))
                .collect(Collectors.joining(", "));
        if (!changed.isEmpty()) {
            throw new PlanException(folder + ": was started with other files than the plan has now (" + changed
                    + "): restore them to resume it, or start over with --fresh");
        }
    }

    private static FileChannel locked(Path folder) throws IOException, PlanException {
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another part of this process holds the lock.
        }
        channel.close();
        throw new PlanException(folder + ": another process is running this plan in this folder");
    }

    /**
     * Updates the state: a run whose result was written just before the process ended is done; a system that was
     * skipped may be able to run now; a run that failed once may succeed.
     */
    private void takeStock(Plan plan) throws IOException {
        for (PlannedRun run : plan.selected()) {
            Entry entry = entry(run);
            if (entry.status() == Status.PENDING) {
                String file = RUNS + "/" + run.fileName();
                Verdict verdict = Manifest.verdict(result(path.resolve(file)));
                Status status = status(verdict);
                if (status != Status.PENDING) {
                    String note = status == Status.FAILED ? "see its result" : null;
                    manifest = manifest.with(entry.with(status, note, file, verdict));
                }
            } else if (isToRepeat(path, entry, plan)) {
                // Its result would count as that of the next attempt.
                Files.deleteIfExists(path.resolve(RUNS).resolve(run.fileName()));
                manifest = manifest.with(entry.with(Status.PENDING, null, null, null));
            }
        }
        save();
    }

    private static boolean hasFailedUnderLoad(Path folder, Entry entry) {
        String file = entry.file();
        return file != null && entry.hasFailedUnderLoad(result(folder.resolve(file)));
    }

    /** Reads a result; an empty object if there is none, or only a part of it. */
    private static JsonNode result(Path file) {
        try {
            return JsonMapper.shared().readTree(Files.readAllBytes(file));
        } catch (IOException | JacksonException e) {
            return JsonMapper.shared().createObjectNode();
        }
    }

    /** Returns the state of a run with this verdict, or without any. */
    private static Status status(@Nullable Verdict verdict) {
        if (verdict == Verdict.FAILED) {
            return Status.FAILED;
        }
        return verdict != null && verdict.ofWholeRun() ? Status.DONE : Status.PENDING;
    }

    public Path path() {
        return path;
    }

    /** Returns the client of a system's last finished run, in the plan's order; empty if no result names one. */
    public Optional<String> clientVersionOf(String system) {
        return manifest.runs().stream()
                .filter(entry ->
                        entry.status() == Status.DONE && entry.cell().system().equals(system))
                .flatMap(entry -> Optional.ofNullable(entry.file()).stream())
                .reduce((first, last) -> last)
                .map(file -> result(path.resolve(file)).path("clientVersion").asString(""))
                .filter(version -> !version.isEmpty());
    }

    /** Returns whether the folder existed before. */
    public boolean resumed() {
        return resumed;
    }

    public Manifest manifest() {
        return manifest;
    }

    public Entry entry(PlannedRun run) {
        return manifest.runs().get(run.number() - 1);
    }

    /** Returns the file for the result of a run. */
    public Path fileOf(PlannedRun run) {
        return path.resolve(RUNS).resolve(run.fileName());
    }

    /** Returns whether an error ended a run under load, as its workload expects. */
    public boolean hasFailedAsExpected(PlannedRun run) {
        return run.isExpectedToFail() && hasFailedUnderLoad(path, entry(run));
    }

    /** Records how a run ended. */
    public void finished(PlannedRun run, Verdict verdict, @Nullable String reason) throws PlanException {
        String note = verdict == Verdict.INTERRUPTED ? INTERRUPTED : reason;
        String file = Files.exists(fileOf(run)) ? RUNS + "/" + run.fileName() : null;
        note(entry(run).with(status(verdict), note, file, verdict));
    }

    /** Records that a run is not possible here. */
    public void skipped(PlannedRun run, String reason) throws PlanException {
        note(entry(run).with(Status.SKIPPED, reason, null, null));
    }

    private void note(Entry entry) throws PlanException {
        manifest = manifest.with(entry);
        try {
            save();
        } catch (IOException e) {
            throw new PlanException(path + ": the manifest could not be written: " + ResultFiles.reason(e));
        }
    }

    private void save() throws IOException {
        ResultFiles.replace(path.resolve(Manifest.NAME), manifest.render(environment));
    }

    /** Releases the folder for other processes. */
    @Override
    public void close() throws PlanException {
        try {
            Files.deleteIfExists(path.resolve(LOCK));
            lock.close();
        } catch (IOException e) {
            throw new PlanException(path + ": the lock could not be removed: " + ResultFiles.reason(e));
        }
    }
}
