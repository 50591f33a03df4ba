package io.openmessaging.benchmark.faults;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file system that holds only the data of one node: ext4 in a file, mounted where only the node's processes see it.
 * The mount disappears with the last of them; the file stays for the next start, and is deleted with its folder. Used
 * by one thread at a time.
 */
public final class OwnDisk {

    private static final String FILLER = ".filler";

    /** Unit in which systems write, and the least space that a file takes. */
    private static final int BLOCK_BYTES = 4096;

    /** Left free for the file system's own needs for a large file, and then filled by writing. */
    private static final long MARGIN_BYTES = 1 << 20;

    /** The system may free space while the disk is being filled. */
    private static final int ATTEMPTS = 20;

    /**
     * Makes the file system at the first start, mounts it, and becomes the node. The mount of the node's previous
     * process may take a moment to disappear. The filler exists if the node ended while its disk was full.
     */
    private static final String MOUNT = """
            mkfs=$1 mount=$2 image=$3 bytes=$4 data=$5
            shift 5
            set -e
            mkdir -p "$data"
            if [ ! -e "$image" ]; then
                truncate -s "$bytes" "$image.new"
                "$mkfs" -q -F -m 0 -E nodiscard,lazy_itable_init=1,lazy_journal_init=1 "$image.new"
                mv "$image.new" "$image"
            fi
            n=0
            until "$mount" -o loop "$image" "$data"; do n=$((n + 1)); [ $n -lt 50 ]; sleep 0.1; done
            rm -rf "$data/lost+found" "$data/.filler"
            exec "$@"
            """;

    private final Path data;
    private final Path image;
    private final long bytes;
    private final Tools tools;

    /** Paths of the required programs. */
    record Tools(String unshare, String mount, String mkfs, String fallocate) {

        static Tools ofThisMachine() throws IOException {
            return new Tools(
                    Programs.require("unshare", "util-linux"),
                    Programs.require("mount", "mount"),
                    Programs.require("mkfs.ext4", "e2fsprogs"),
                    Programs.require("fallocate", "util-linux"));
        }
    }

    private OwnDisk(Path data, Path image, long bytes, Tools tools) {
        this.data = data;
        this.image = image;
        this.bytes = bytes;
        this.tools = tools;
    }

    /**
     * Creates the disk of a node that has not been started yet.
     *
     * @param data the folder of its data, empty or missing
     * @param image the file that holds the file system
     * @param bytes its size; the file takes only as much as is written
     */
    public static OwnDisk of(Path data, Path image, long bytes) throws IOException {
        if (Files.exists(data)) {
            try (Stream<Path> content = Files.list(data)) {
                if (content.findAny().isPresent()) {
                    throw new IOException("the folder " + data + " already contains data");
                }
            }
        }
        return new OwnDisk(data, image, bytes, Tools.ofThisMachine());
    }

    /** Returns the command line that runs a command which sees its data there; its process stays the same. */
    public List<String> command(List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                tools.unshare(),
                "--mount",
                "--propagation",
                "private",
                "/bin/sh",
                "-c",
                MOUNT,
                "own-disk",
                tools.mkfs()));
        all.addAll(List.of(tools.mount(), image.toString(), Long.toString(bytes), data.toString()));
        all.addAll(command);
        return all;
    }

    /**
     * Fills the disk; returns once a write was refused.
     *
     * @param pid a process of the node
     * @throws IOException if the disk is not full; the filler is removed then
     * @throws InterruptedException if interrupted; the filler is removed then, too
     */
    public void fill(long pid) throws IOException, InterruptedException {
        Path seen = seenBy(pid);
        File filler = seen.resolve(FILLER).toFile();
        boolean full = false;
        try {
            for (int attempt = 0; attempt < ATTEMPTS && !full; attempt++) {
                reserve(filler);
                append(filler);
                full = isRefused(seen.resolve(FILLER + "-probe").toFile());
            }
            if (!full) {
                throw new IOException("the disk of " + data + " does not stay full: the system frees space again");
            }
        } finally {
            if (!full) {
                Files.deleteIfExists(filler.toPath());
            }
        }
    }

    /** Reserves whatever is free, without writing it, so that neither the machine's disk nor its memory is affected. */
    private void reserve(File filler) throws IOException, InterruptedException {
        long free = filler.getAbsoluteFile().getParentFile().getUsableSpace();
        if (free > 2 * MARGIN_BYTES) {
            try {
                String range = Long.toString(free - MARGIN_BYTES);
                Programs.run(
                        List.of(
                                tools.fallocate(),
                                "--offset",
                                "" + filler.length(),
                                "--length",
                                range,
                                filler.toString()),
                        "");
            } catch (IOException e) {
                // The file system needs some space for itself; it reserved what it could.
            }
        }
    }

    /** Fills the rest, block by block. */
    private static void append(File filler) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(filler, "rw")) {
            file.seek(file.length());
            byte[] block = new byte[BLOCK_BYTES];
            while (true) {
                file.write(block);
            }
        } catch (IOException e) {
            // No room is left, which is the aim; the caller checks that next.
        }
    }

    private static boolean isRefused(File probe) {
        try (RandomAccessFile file = new RandomAccessFile(probe, "rw")) {
            file.write(new byte[BLOCK_BYTES]);
            file.getFD().sync();
            return false;
        } catch (IOException e) {
            return true;
        } finally {
            probe.delete();
        }
    }

    /**
     * Makes room again.
     *
     * @param pid a process of the node
     * @throws IOException if the disk is still full
     */
    public void free(long pid) throws IOException {
        Path seen = seenBy(pid);
        Files.deleteIfExists(seen.resolve(FILLER));
        if (isRefused(seen.resolve(FILLER + "-probe").toFile())) {
            throw new IOException("the disk of " + data + " is still full: the system itself has filled it");
        }
    }

    /**
     * Returns the folder as the node's processes see it. The path has no links, since a link would lead to the
     * machine's disk.
     */
    private Path seenBy(long pid) throws IOException {
        Path seen = Path.of("/proc", Long.toString(pid), "root" + data.toRealPath());
        if (seen.toFile().getTotalSpace() > bytes) {
            throw new IOException("the file system of " + seen + " is larger than the disk of the node");
        }
        return seen;
    }

    /**
     * Checks that this works here, by trying it with a small disk.
     *
     * @throws IOException with the reason if it does not
     */
    static void tryOut() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("disk-trial");
        try {
            OwnDisk disk = of(folder.resolve("data"), folder.resolve("image"), 1L << 20);
            Programs.run(
                    disk.command(List.of("/bin/sh", "-c", "echo tried >\"$1/file\"", "try", disk.data.toString())), "");
            if (Files.exists(disk.data.resolve("file"))) {
                throw new IOException("a file system that was mounted for one process is visible to others");
            }
        } finally {
            Files.deleteIfExists(folder.resolve("image"));
            Files.deleteIfExists(folder.resolve("image.new"));
            Files.deleteIfExists(folder.resolve("data").resolve("file"));
            Files.deleteIfExists(folder.resolve("data"));
            Files.deleteIfExists(folder);
        }
    }
}
