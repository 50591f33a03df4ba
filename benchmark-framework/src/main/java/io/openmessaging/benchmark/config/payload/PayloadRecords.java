package io.openmessaging.benchmark.config.payload;

import io.openmessaging.benchmark.load.PayloadSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the records of a payload file, as the workload demands. */
final class PayloadRecords {

    private static final int PREFIX_BYTES = Integer.BYTES;
    private static final byte SPACE = ' ';
    private static final int[] UTF_8_MARK = {0xEF, 0xBB, 0xBF};

    /** Signatures of files that do not consist of lines of bytes, with a remedy for each. */
    private static final List<Signature> NO_LINES = List.of(
            new Signature("is UTF-16, whose line ends are more than one byte: iconv -t UTF-8 converts it", 0xFF, 0xFE),
            new Signature("is UTF-16, whose line ends are more than one byte: iconv -t UTF-8 converts it", 0xFE, 0xFF),
            new Signature("is compressed with gzip: gunzip -k unpacks it", 0x1F, 0x8B),
            new Signature("is compressed with zstd: unzstd unpacks it", 0x28, 0xB5, 0x2F, 0xFD));

    private record Signature(String meaning, int... bytes) {}

    private final PayloadFile.Rules rules;
    private final List<byte[]> records = new ArrayList<>();
    private long bytes;
    private long skipped;
    private long tooSmall;
    private @Nullable String firstTooSmall;

    private PayloadRecords(PayloadFile.Rules rules) {
        this.rules = rules;
    }

    /**
     * Returns the records in the order of the file; for a folder, in the order of the file names.
     *
     * @throws BadRecordException if there is no record, a record that is too small, or more than the limit for memory
     */
    static List<byte[]> read(Path path, PayloadFile.Rules rules) throws IOException, BadRecordException {
        PayloadRecords read = new PayloadRecords(rules);
        switch (rules.format()) {
            case LINES -> read.lines(content(path));
            case LENGTH_PREFIXED -> read.lengthPrefixed(content(path));
            case FILES -> read.files(path);
        }
        return read.checked();
    }

    private static byte[] content(Path file) throws IOException, BadRecordException {
        checkBytes(Files.size(file));
        return Files.readAllBytes(file);
    }

    private static void checkBytes(long bytes) throws BadRecordException {
        if (bytes > PayloadSpec.MAX_GIVEN_BYTES) {
            throw new BadRecordException("must have at most %d bytes (32 MiB, since each sending thread and worker has"
                            .formatted(PayloadSpec.MAX_GIVEN_BYTES)
                    + " a copy of all), has %d; use only a part of it".formatted(bytes));
        }
    }

    private void lines(byte[] content) throws BadRecordException {
        for (Signature signature : NO_LINES) {
            if (beginsWith(content, signature.bytes)) {
                throw new BadRecordException(signature.meaning);
            }
        }
        int begin = beginsWith(content, UTF_8_MARK) ? UTF_8_MARK.length : 0;
        for (int line = 1; begin < content.length; line++) {
            int end = begin;
            while (end < content.length && content[end] != '\n') {
                end++;
            }
            boolean withReturn = end < content.length && end > begin && content[end - 1] == '\r';
            add("line " + line, Arrays.copyOfRange(content, begin, withReturn ? end - 1 : end));
            begin = end + 1;
        }
    }

    private static boolean beginsWith(byte[] content, int... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (i >= content.length || Byte.toUnsignedInt(content[i]) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private void lengthPrefixed(byte[] content) throws BadRecordException {
        ByteBuffer left = ByteBuffer.wrap(content);
        for (int number = 1; left.hasRemaining(); number++) {
            String place = "record " + number + " (at byte " + left.position() + ")";
            if (left.remaining() < PREFIX_BYTES) {
                throw new BadRecordException(
                        "ends within the length of %s: has %d of the %d bytes, the highest of which comes first"
                                .formatted(place, left.remaining(), PREFIX_BYTES));
            }
            int length = left.getInt();
            if (length < 0 || length > left.remaining()) {
                throw new BadRecordException("ends within %s: its length says %d bytes, %d follow%s"
                        .formatted(
                                place,
                                Integer.toUnsignedLong(length),
                                left.remaining(),
                                otherwise(Integer.reverseBytes(length), left.remaining())));
            }
            byte[] record = new byte[length];
            left.get(record);
            add(place, record);
        }
    }

    private static String otherwise(int reversed, int remaining) {
        return reversed >= 0 && reversed <= remaining
                ? "; lengths are big-endian, but these seem to be little-endian"
                : "; a file of lines needs payloadRecords: LINES";
    }

    private void files(Path folder) throws IOException, BadRecordException {
        for (Path file : filesOf(folder)) {
            if (!Files.isRegularFile(file)) {
                throw new BadRecordException(
                        "must contain only files, but '%s' is %s: use one workload per folder, or copy all files into one"
                                .formatted(
                                        file.getFileName(),
                                        Files.isDirectory(file) ? "a folder" : "not a readable file"));
            }
            // Check before reading, since the file may have any size.
            checkBytes(bytes + Files.size(file));
            add("the file '" + file.getFileName() + "'", Files.readAllBytes(file));
        }
    }

    /** Returns the visible entries of a folder, by name. */
    static List<Path> filesOf(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (!String.valueOf(entry.getFileName()).startsWith(".")) {
                    files.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(files);
        return files;
    }

    private void add(String place, byte[] record) throws BadRecordException {
        if (record.length < rules.skipBelow()) {
            skipped++;
            return;
        }
        byte[] padded = record;
        if (record.length < rules.padTo()) {
            padded = Arrays.copyOf(record, rules.padTo());
            Arrays.fill(padded, record.length, padded.length, SPACE);
        }
        if (padded.length < rules.least().bytes()) {
            firstTooSmall = tooSmall == 0 ? place + " has " + padded.length : firstTooSmall;
            tooSmall++;
        }
        bytes += padded.length;
        checkBytes(bytes);
        if (records.size() == PayloadSpec.MAX_GIVEN) {
            throw new BadRecordException("must have at most %d records, %s is one more; use only a part of it"
                    .formatted(PayloadSpec.MAX_GIVEN, place));
        }
        records.add(padded);
    }

    private List<byte[]> checked() throws BadRecordException {
        if (records.isEmpty()) {
            throw new BadRecordException(
                    skipped == 0
                            ? "must have a record, has none"
                            : "must have a record of at least %d bytes (skipRecordsBelow); all %d are smaller"
                                    .formatted(rules.skipBelow(), skipped));
        }
        if (tooSmall > 0) {
            PayloadFile.Least least = rules.least();
            throw new BadRecordException(
                    ("must have records of at least %1$d bytes, %2$s; %3$s, the first of %4$d that are too small, of %5$d."
                                    + " padRecordsTo: %1$d lengthens them, skipRecordsBelow: %1$d leaves them out")
                            .formatted(least.bytes(), least.reason(), firstTooSmall, tooSmall, records.size()));
        }
        return records;
    }
}
