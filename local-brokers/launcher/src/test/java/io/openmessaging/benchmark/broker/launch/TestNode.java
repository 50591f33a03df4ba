package io.openmessaging.benchmark.broker.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A main class that replaces a broker's. */
public final class TestNode {

    /** Behaviour of the node. */
    public enum Behaviour {
        /** Becomes ready, then writes to its folder without a pause, as a broker under load does. */
        SERVE,
        /** Starts a thread that would keep the JVM alive, then throws. */
        FAIL,
        /** Never becomes ready. */
        HANG,
        /** Becomes ready, then exits with code 3 once its folder contains a file {@code end}. */
        SERVE_UNTIL_TOLD,
        /** Becomes ready, and does not end on SIGTERM. */
        SERVE_STUBBORNLY
    }

    private TestNode() {}

    /** Arguments: the behaviour, and the node's folder. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        System.out.println("test node says hello");
        switch (Behaviour.valueOf(arguments[0])) {
            case SERVE -> serve(folder);
            case FAIL -> fail();
            case HANG -> Thread.sleep(Long.MAX_VALUE);
            case SERVE_UNTIL_TOLD -> serveUntilTold(folder);
            case SERVE_STUBBORNLY -> {
                Runtime.getRuntime().addShutdownHook(new Thread(TestNode::sleep));
                serve(folder);
            }
        }
    }

    private static void serve(Path folder) throws IOException {
        Files.writeString(folder.resolve("ready"), "");
        for (long i = 0; ; i++) {
            Path file = Files.createDirectories(folder.resolve("data-" + i % 7)).resolve("segment-" + i % 1000);
            Files.writeString(file, "some bytes");
        }
    }

    private static void fail() {
        new Thread(TestNode::sleep, "never-ends").start();
        throw new IllegalStateException("the disk has no room", new IOException("really none"));
    }

    private static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void serveUntilTold(Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("ready"), "");
        while (!Files.exists(folder.resolve("end"))) {
            Thread.sleep(10);
        }
        System.out.println("ERROR the test wants it so");
        Runtime.getRuntime().halt(3);
    }
}
