package io.openmessaging.benchmark.binding;

import io.openmessaging.benchmark.binding.YamlNode.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A YAML file as a tree, read strictly: one document, a mapping at its top, every key once, UTF-8, at most {@value
 * #MAX_BYTES} bytes.
 *
 * @param path path as the user named it
 * @param root the whole content
 */
public record YamlFile(Path path, Mapping root) {

    /** More than any sensible configuration, but small enough to be read at once. */
    static final int MAX_BYTES = 1 << 20;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    public static YamlFile read(Path path) throws ConfigException {
        return parse(path, text(path));
    }

    /**
     * Reads the text of a file.
     *
     * @param path path of the file, for messages about problems
     */
    public static YamlFile parse(Path path, String text) throws ConfigException {
        return new YamlFile(path, YamlTreeReader.read(path, text));
    }

    private static String text(Path path) throws ConfigException {
        if (Files.isDirectory(path)) {
            throw ConfigException.ofFile(path, "is a folder, must be a file", null);
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw ConfigException.ofFile(path, "is too large, must have at most " + MAX_BYTES + " bytes", null);
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw ConfigException.ofFile(path, "must be text in UTF-8", null);
        } catch (NoSuchFileException e) {
            throw ConfigException.ofFile(path, "there is no such file", null);
        } catch (AccessDeniedException e) {
            throw ConfigException.ofFile(path, "cannot be read: permission denied", null);
        } catch (IOException e) {
            throw ConfigException.ofFile(path, "cannot be read: " + e.getMessage(), null);
        }
    }
}
