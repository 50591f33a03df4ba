package io.openmessaging.benchmark.resources;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A process that keeps one processor busy, holds memory, and has written a file, until its standard input ends. */
final class BusyProcess {

    private BusyProcess() {}

    public static void main(String[] args) throws IOException {
        byte[] held = new byte[Integer.parseInt(args[0])];
        Arrays.fill(held, (byte) 1);
        try (OutputStream file = Files.newOutputStream(Path.of(args[1]))) {
            byte[] block = new byte[1 << 20];
            for (int i = 0; i < Integer.parseInt(args[2]); i++) {
                file.write(block);
            }
        }
        Thread burning = new Thread(() -> {
            long sum = 0;
            while (true) {
                sum += held[(int) (sum % held.length)];
            }
        });
        burning.setDaemon(true);
        burning.start();
        System.out.println("busy");
        var unused = System.in.read();
    }
}
