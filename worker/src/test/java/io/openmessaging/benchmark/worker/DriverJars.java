package io.openmessaging.benchmark.worker;

import io.openmessaging.benchmark.program.ProgramPath;
import io.openmessaging.benchmark.worker.fake.FakeDriver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Installs drivers for tests: folders with jars, as in a distribution. */
public final class DriverJars {

    private DriverJars() {}

    /** Installs the fake driver, as compiled with the tests. */
    public static void installFake(Path driversFolder, String name) throws IOException {
        Path jar = Files.createDirectories(driversFolder.resolve(name)).resolve("fake.jar");
        Path classes = ProgramPath.ofClass(FakeDriver.class);
        if (Files.isDirectory(classes)) {
            packPackage(jar, classes);
            return;
        }
        // In tests of other modules, these classes are in a jar once they are packaged.
        try (FileSystem packaged = FileSystems.newFileSystem(classes)) {
            packPackage(jar, packaged.getPath("/"));
        }
    }

    private static void packPackage(Path jar, Path root) throws IOException {
        pack(jar, root, root.resolve(FakeDriver.class.getPackageName().replace('.', '/')));
    }

    /**
     * Compiles and installs a driver.
     *
     * @param sources sources by simple class name, without package statements
     */
    static void install(Path driversFolder, String name, String packageName, Map<String, String> sources)
            throws IOException {
        Path work = Files.createTempDirectory(driversFolder, "compile");
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Files.writeString(
                    work.resolve(source.getKey() + ".java"), "package " + packageName + ";\n" + source.getValue());
        }
        List<String> arguments = Stream.concat(
                        Stream.of(
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                work.resolve("classes").toString()),
                        sources.keySet().stream()
                                .map(simpleName ->
                                        work.resolve(simpleName + ".java").toString()))
                .toList();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int result = compiler.run(
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                System.err,
                arguments.toArray(String[]::new));
        if (result != 0) {
            throw new IllegalArgumentException("The driver of the test cannot be compiled: " + sources);
        }
        pack(
                Files.createDirectories(driversFolder.resolve(name)).resolve(name + ".jar"),
                work.resolve("classes"),
                work.resolve("classes"));
        deleteTree(work);
    }

    private static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Packs a folder below the root, or the root itself. */
    private static void pack(Path jar, Path root, Path folder) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(root.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
                out.closeEntry();
            }
            out.putNextEntry(new JarEntry("marker.txt"));
            out.write(String.valueOf(jar.getFileName()).getBytes(StandardCharsets.UTF_8));
            out.closeEntry();
        }
    }
}
