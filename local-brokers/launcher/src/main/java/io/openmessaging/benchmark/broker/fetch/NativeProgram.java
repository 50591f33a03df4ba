package io.openmessaging.benchmark.broker.fetch;

import io.openmessaging.benchmark.broker.BrokerUnavailableException;
import io.openmessaging.benchmark.broker.LocalBrokerException;
import io.openmessaging.benchmark.broker.LocalBrokerOptions;
import io.openmessaging.benchmark.program.ProgramPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A broker's program on this machine.
 *
 * @param product the name of the broker, for messages
 * @param command the start of a command line, whose last part is the program itself
 */
public record NativeProgram(String product, List<String> command) {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Finds the program.
     *
     * @param packages the packages that contain it
     * @param file the program's path in them, such as {@code usr/bin/redis-server}; on this machine's PATH, only the
     *     last part of that path is searched for
     */
    public static NativeProgram find(PackageSet packages, String file, ProgramPath programs, LocalBrokerOptions options)
            throws LocalBrokerException, InterruptedException {
        String name = String.valueOf(Path.of(file).getFileName());
        Optional<Path> installed = installed(packages.product(), name, programs, options.version());
        if (installed.isPresent()) {
            return new NativeProgram(packages.product(), List.of(installed.get().toString()));
        }
        PackageSet.Unpacked unpacked = packages.unpacked(options.place().home(), programs, options.progress());
        return new NativeProgram(
                packages.product(), unpacked.command(unpacked.root().resolve(file)));
    }

    /**
     * Returns the program on the PATH if it is the one to use: because the user wants it, or because packages cannot be
     * fetched.
     *
     * @throws LocalBrokerException if the user wants it and it is missing
     */
    public static Optional<Path> installed(
            String product, String program, ProgramPath programs, LocalBrokerOptions.Version version)
            throws LocalBrokerException {
        Optional<Path> installed = programs.find(program);
        return switch (version) {
            case CURRENT -> installed.filter(there -> !PackageSet.canBeFetched(programs));
            case SYSTEM ->
                Optional.of(installed.orElseThrow(() -> new BrokerUnavailableException(
                        "version: system needs the " + product + " of this machine, but there is no " + program
                                + " on the PATH; install it, or leave out version",
                        null)));
        };
    }

    /**
     * Runs the program to its end and returns its output: mainly for the version, which also shows whether the program
     * finds its libraries.
     *
     * @throws LocalBrokerException if it cannot be run, fails, or takes longer than 30 s; with its output
     */
    public String print(String... arguments) throws LocalBrokerException, InterruptedException {
        try {
            return String.join("\n", new Tool(name(), command, Map.of(), Path.of("/"), LIMIT).run(arguments));
        } catch (IOException | LocalBrokerException e) {
            throw new LocalBrokerException(product + " does not run on this machine: " + e.getMessage(), e);
        }
    }

    /**
     * Queries the version.
     *
     * @param pattern finds the version in the output of {@code --version}
     * @throws LocalBrokerException as {@link #print} does, and if the output does not match
     */
    public Matcher version(Pattern pattern) throws LocalBrokerException, InterruptedException {
        Matcher version = pattern.matcher(print("--version"));
        if (!version.find()) {
            throw new LocalBrokerException(name() + " does not report its version: is it " + product + "?");
        }
        return version;
    }

    /** Returns the command line that calls the program with arguments. */
    public List<String> commandLine(String... arguments) {
        return Stream.concat(command.stream(), Stream.of(arguments)).toList();
    }

    /** Returns the file of the program. */
    public String name() {
        return command.get(command.size() - 1);
    }
}
