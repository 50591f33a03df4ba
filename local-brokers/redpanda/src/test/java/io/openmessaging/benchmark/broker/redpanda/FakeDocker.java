package io.openmessaging.benchmark.broker.redpanda;

import io.openmessaging.benchmark.broker.launch.JvmNode;
import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.suite.TestProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A script named {@code docker} that replaces Docker for this module: it manages containers, each a process that
 * outlives the client, and networks, each a file.
 */
final class FakeDocker {

    private static final String SCRIPT = """
            state=STATE
            echo "$*" >>"$state/calls"
            case $1 in
            info) echo 27.1.1 ;;
            network)
                if [ "$2" = create ]; then touch "$state/$3.network"; else rm "$state/$3.network"; fi ;;
            rm) kill -KILL "$(cat "$state/$3.pid")" && rm "$state/$3.pid" ;;
            run)
                nodes=$(ls "$state" | grep -c network)
                [ "$nodes" = 0 ] && nodes=1 || nodes=3
                while [ $# -gt 0 ]; do
                    case "$1 $2" in
                    "--name "*) name=$2 ;;
                    "--publish "*:9644) port=${2%:*} port=${port#*:} ;;
                    esac
                    shift
                done
                setsid JAVA -Xmx32m -cp CLASSES MAIN "$port" "$nodes" 3>&- &
                container=$!
                echo $container >"$state/$name.pid"
                trap 'kill $container; rm -f "$state/$name.pid"; exit 143' TERM
                wait $container ;;
            esac
            """;

    private final Path folder;
    private final Path state;

    FakeDocker(Path folder) throws IOException {
        this.folder = folder;
        this.state = Files.createDirectory(folder.resolve("state"));
        install(SCRIPT.replace("STATE", state.toString())
                .replace(
                        "JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .replace(
                        "CLASSES",
                        JvmNode.classPath(List.of(), FakeContainer.class).get(0).toString())
                .replace("MAIN", FakeContainer.class.getName()));
    }

    /** Replaces the script. */
    void install(String script) throws IOException {
        TestProgram.write(folder.resolve("docker"), script);
    }

    ProgramPath path() {
        return new ProgramPath(List.of(folder));
    }

    /** Returns the command lines of its calls, without the program's name. */
    List<String> calls() throws IOException {
        return Files.readAllLines(state.resolve("calls"));
    }

    /** Returns the files of all existing containers and networks. */
    List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(state)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("calls"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns the processes of all existing containers. */
    List<ProcessHandle> containers() throws IOException {
        List<ProcessHandle> containers = new ArrayList<>();
        for (String name : left()) {
            if (name.endsWith(".pid")) {
                long pid = Long.parseLong(Files.readString(state.resolve(name)).strip());
                ProcessHandle.of(pid).ifPresent(containers::add);
            }
        }
        return containers;
    }
}
