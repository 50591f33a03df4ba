package io.openmessaging.benchmark.resources;

import io.openmessaging.benchmark.measure.CollectorWork;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import oshi.SystemInfo;

/**
 * The main class of a {@link ChildJvm}, which acts like a broker on request. It answers each line of its standard
 * input with a line, and exits at the end of the input.
 */
final class BusyProcess {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int GARBAGE_BYTES = 10_000;
    private static final Set<String> FULL_COLLECTORS = Set.of("MarkSweepCompact", "G1 Old Generation");

    private static byte[] held = {1};
    private static volatile long sum;
    private static byte[] garbage = {};
    private static @Nullable Thread burning;
    private static @Nullable HarnessProbe own;

    private BusyProcess() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = in.readLine();
        while (line != null) {
            System.out.println(answer(line.split(" ")));
            line = in.readLine();
        }
    }

    private static String answer(String[] words) throws IOException {
        return switch (words[0]) {
            case "hold" -> hold(Integer.parseInt(words[1]));
            case "write" -> write(Path.of(words[1]), Integer.parseInt(words[2]));
            case "burn" -> burn();
            case "burnt" -> Long.toString(burning == null ? 0 : THREADS.getThreadCpuTime(burning.getId()));
            case "collect" -> collect(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "collectors" -> collectors();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static String hold(int bytes) {
        held = new byte[bytes];
        Arrays.fill(held, (byte) 1);
        return "held";
    }

    private static String write(Path path, int megabytes) throws IOException {
        try (OutputStream file = Files.newOutputStream(path)) {
            byte[] block = new byte[1 << 20];
            for (int i = 0; i < megabytes; i++) {
                file.write(block);
            }
        }
        return "written";
    }

    /** Keeps one processor busy from now on. */
    private static String burn() {
        Thread thread = new Thread(() -> {
            while (true) {
                sum += held[(int) (sum % held.length)];
            }
        });
        thread.setDaemon(true);
        thread.start();
        burning = thread;
        return "burning";
    }

    /**
     * Creates garbage and runs {@code full} full collections. It requests a collection again if none took place: the
     * serial collector skips it while a thread is in a critical section of JNI, such as an exporter's thread that
     * compresses its answer.
     */
    private static String collect(int megabytes, int full) {
        for (int i = 0; i < megabytes * (1 << 20) / GARBAGE_BYTES; i++) {
            garbage = new byte[GARBAGE_BYTES];
        }
        for (long wanted = fullCollections() + full; fullCollections() < wanted; ) {
            System.gc();
        }
        return "collected " + garbage.length;
    }

    private static long fullCollections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> FULL_COLLECTORS.contains(collector.getName()))
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** Reads the collectors of this process as a harness reads its own. */
    private static String collectors() {
        if (own == null) {
            own = new HarnessProbe(new SystemInfo().getOperatingSystem(), name -> false);
        }
        own.read();
        return own.collectors().entrySet().stream().map(BusyProcess::text).collect(Collectors.joining(";"));
    }

    private static String text(Map.Entry<String, CollectorWork> collector) {
        return collector.getKey() + "=" + collector.getValue().collections() + "="
                + collector.getValue().milliseconds();
    }
}
