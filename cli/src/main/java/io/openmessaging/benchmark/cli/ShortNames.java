package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.cli.catalog.Catalog;
import io.openmessaging.benchmark.cli.catalog.Catalog.FileType;
import io.openmessaging.benchmark.cli.process.Installation;
import java.util.Iterator;

/**
 * Short names that shells complete where a file of the installation is an argument; read when the completion script is
 * printed.
 */
abstract class ShortNames implements Iterable<String> {

    private final FileType type;

    private ShortNames(FileType type) {
        this.type = type;
    }

    @Override
    public Iterator<String> iterator() {
        return new Catalog(Installation.fromSystemProperties().home())
                .all(type).stream().map(Catalog.Shipped::name).iterator();
    }

    /** Names of driver files. */
    static final class Drivers extends ShortNames {

        Drivers() {
            super(FileType.DRIVER);
        }
    }

    /** Names of workloads. */
    static final class Workloads extends ShortNames {

        Workloads() {
            super(FileType.WORKLOAD);
        }
    }

    /** Names of plans. */
    static final class Plans extends ShortNames {

        Plans() {
            super(FileType.PLAN);
        }
    }
}
