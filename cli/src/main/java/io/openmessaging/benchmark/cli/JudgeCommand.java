package io.openmessaging.benchmark.cli;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.cli.job.PlanClaims;
import io.openmessaging.benchmark.cli.process.ExitCode;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.plan.PlanException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code bin/benchmark judge}. */
@Command(
        name = JudgeCommand.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Installation.BuildVersion.class,
        usageHelpAutoWidth = true,
        description = {
            "Sums up the results of a plan again, and judges the claims of its study on them: a plan does so itself"
                    + " when it is done. Writes summary.json, summary.csv and claims.json into the folder.",
        },
        footer = {"", "Exit code: 0 judged, 2 bad arguments or files."})
final class JudgeCommand implements Callable<Integer> {

    static final String NAME = "judge";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The plan's folder of results.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(
            names = "--published",
            paramLabel = "FILE",
            description = "The claims (default: published.yaml beside the plan or its copy in workloads/).")
    private @Nullable Path published;

    @Option(names = "--all", description = "Print all figures of each claim, not only some that decided it.")
    private boolean all;

    @Override
    public Integer call() throws UserException, PlanException, ConfigException {
        PlanClaims.judge(folder, published, all, spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
