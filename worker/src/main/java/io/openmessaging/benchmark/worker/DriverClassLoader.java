package io.openmessaging.benchmark.worker;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * Loads a driver from the jars of its folder, isolated from the harness and from other drivers, since the clients'
 * dependencies conflict. The only classes of the harness that it sees are the driver SPI, slf4j and the annotations of
 * jspecify.
 */
final class DriverClassLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    DriverClassLoader(String name, URL[] jars, ClassLoader harness) {
        super("driver " + name, jars, new HarnessWindow(harness));
    }

    /** Provides the JDK and those classes of the harness that a driver may see. */
    private static final class HarnessWindow extends ClassLoader {

        static {
            registerAsParallelCapable();
        }

        private static final String SPI_PACKAGE = "io.openmessaging.benchmark.driver.";

        private final ClassLoader harness;

        HarnessWindow(ClassLoader harness) {
            super(ClassLoader.getPlatformClassLoader());
            this.harness = harness;
        }

        @Override
        protected Class<?> findClass(String className) throws ClassNotFoundException {
            if (isShared(className)) {
                return harness.loadClass(className);
            }
            throw new ClassNotFoundException(className);
        }

        /** Drivers are in packages below that of the SPI: only the classes of the SPI package itself are shared. */
        private static boolean isShared(String className) {
            return className.startsWith("org.slf4j.")
                    || className.startsWith("org.jspecify.")
                    || className.startsWith(SPI_PACKAGE) && className.indexOf('.', SPI_PACKAGE.length()) < 0;
        }
    }
}
