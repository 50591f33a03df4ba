package io.openmessaging.benchmark.cli.job;

import io.openmessaging.benchmark.binding.ConfigException;
import io.openmessaging.benchmark.claims.Claims;
import io.openmessaging.benchmark.claims.ClaimsFile;
import io.openmessaging.benchmark.claims.ClaimsText;
import io.openmessaging.benchmark.cli.process.Installation;
import io.openmessaging.benchmark.cli.process.UserException;
import io.openmessaging.benchmark.config.PublishedFile;
import io.openmessaging.benchmark.plan.Manifest;
import io.openmessaging.benchmark.plan.PlanException;
import io.openmessaging.benchmark.summary.PlanResults;
import io.openmessaging.benchmark.summary.Summary;
import io.openmessaging.benchmark.summary.SummaryFiles;
import io.openmessaging.benchmark.summary.SystemsTable;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Summarizes the results of a plan and judges the claims of its study. */
public final class PlanClaims {

    private PlanClaims() {}

    /**
     * Summarizes and judges the results in a folder again.
     *
     * @param all whether to print the figures that did not decide a claim, too
     */
    public static void judge(Path folder, @Nullable Path published, boolean all, PrintWriter out)
            throws UserException, PlanException, ConfigException {
        Manifest manifest = Manifest.read(folder);
        Path home = Installation.fromSystemProperties().home();
        Path file = published == null ? manifest.published(home) : published;
        if (!Files.exists(file)) {
            String advice = published == null ? "; name the file with --published" : "";
            throw new UserException("benchmark: " + file + ": there is no such file of claims" + advice);
        }
        PublishedFile read = PublishedFile.read(file);
        Claims.check(read, manifest.cells());
        out.println("judged by " + file + ", written to "
                + conclude(folder, manifest, Optional.of(read), all, out).orElseThrow());
    }

    /**
     * Summarizes the results in a folder, and judges them if there are claims.
     *
     * @param published the claims, already checked
     * @return the file of the judgements; empty if there are no claims
     */
    static Optional<Path> conclude(Path folder, Manifest manifest, Optional<PublishedFile> published, PrintWriter out)
            throws PlanException {
        return conclude(folder, manifest, published, false, out);
    }

    private static Optional<Path> conclude(
            Path folder, Manifest manifest, Optional<PublishedFile> published, boolean all, PrintWriter out)
            throws PlanException {
        PlanResults results = PlanResults.read(folder, manifest);
        Summary summary = Summary.of(results);
        Optional<Claims> claims = tell(summary, SystemsTable.of(results), published, all, out);
        SummaryFiles.write(folder, summary);
        return claims.isPresent() ? Optional.of(ClaimsFile.write(folder, claims.get())) : Optional.empty();
    }

    /**
     * Prints the table of the systems, and judges the claims. Called before a file is written, since writing may fail.
     */
    private static Optional<Claims> tell(
            Summary summary, SystemsTable systems, Optional<PublishedFile> published, boolean all, PrintWriter out) {
        if (systems.comparesSystems()) {
            out.println();
            systems.lines().forEach(out::println);
        }
        if (!summary.noted().isEmpty()) {
            out.println();
            out.println("noted, but no reason to keep runs apart: " + String.join("; ", summary.noted()));
        }
        Optional<Claims> claims = published.map(read -> Claims.judge(read, summary));
        claims.ifPresent(judged -> out.print(ClaimsText.render(judged, all)));
        out.flush();
        return claims;
    }
}
