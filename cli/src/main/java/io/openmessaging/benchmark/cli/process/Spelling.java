package io.openmessaging.benchmark.cli.process;

import java.util.List;
import java.util.Optional;

/**
 * Detects text that the locale of this process cannot represent. The JVM decodes its arguments and the current folder
 * with the locale's encoding, and replaces each invalid byte with U+FFFD; such a path then leads nowhere.
 */
public final class Spelling {

    private static final char NO_CHARACTER = '\uFFFD';

    private Spelling() {}

    /**
     * Returns an error message for the user; empty if all arguments and folders can be represented.
     *
     * @param program the name of the start script
     */
    public static Optional<String> problem(String program, String... arguments) {
        return problem(
                program,
                System.getProperty("sun.jnu.encoding", "unknown"),
                List.of(System.getProperty("user.dir", ""), System.getProperty("benchmark.home", "")),
                List.of(arguments));
    }

    static Optional<String> problem(String program, String encoding, List<String> folders, List<String> arguments) {
        Optional<String> folder = first(folders)
                .map(path -> "the path of the folder '" + path + "', in which it was started or installed");
        return folder.or(() -> first(arguments).map(argument -> "the argument '" + argument + "'"))
                .map(what -> program + ": the locale's encoding, " + encoding + ", cannot represent " + what
                        + ": set LC_ALL to a UTF-8 locale that 'locale -a' lists, such as C.UTF-8");
    }

    private static Optional<String> first(List<String> texts) {
        return texts.stream()
                .filter(text -> text.indexOf(NO_CHARACTER) >= 0)
                .map(text -> text.replace(NO_CHARACTER, '?'))
                .findFirst();
    }
}
