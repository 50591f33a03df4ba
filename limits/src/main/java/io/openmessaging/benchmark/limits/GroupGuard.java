package io.openmessaging.benchmark.limits;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes control groups if this JVM ends before it could, even by {@code kill -9}. It is a shell that reads from a
 * pipe whose other end only this JVM holds. A line tells it that there is nothing left to remove.
 */
record GroupGuard(Process process) {

    /**
     * Groups cannot be removed before their processes have ended. Others end them; after 10 s the guard assumes that
     * nobody will, and kills them. After 20 s it gives up: a process hangs in the kernel.
     */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            cd /
            read -r line && exit
            n=0
            while [ $n -lt 100 ]; do
                left=
                for group do
                    rmdir "$group" || [ ! -d "$group" ] || left="$left $group"
                done
                [ -z "$left" ] && exit
                if [ $n -ge 50 ]; then
                    for group in $left; do
                        while read -r pid; do kill -s KILL "$pid"; done <"$group/cgroup.procs"
                    done
                fi
                n=$((n + 1))
                sleep 0.2
            done
            """;

    private static final String DETACH = "command -v setsid >/dev/null && exec setsid \"$@\"; exec \"$@\"";

    /** Starts a guard for existing groups. */
    static GroupGuard of(List<Path> groups) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", DETACH, "detach", "/bin/sh", "-c", SCRIPT, "remove-groups"));
        groups.forEach(group -> command.add(group.toString()));
        return new GroupGuard(new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Ends the guard: the groups should stay, or are already removed. */
    void release() throws IOException {
        try (var pipe = process.getOutputStream()) {
            pipe.write('\n');
        }
    }
}
