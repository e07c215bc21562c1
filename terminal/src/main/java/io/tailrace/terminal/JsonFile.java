package io.tailrace.terminal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A command's result for programs. */
public final class JsonFile {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonFile() {}

    /** Refuses a file that could not be written later, before the command does its work. Null: none was asked for. */
    public static void check(Path file) {
        check("--json", file);
    }

    /** The same for a file of another option. */
    public static void check(String option, Path file) {
        if (file == null) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new BadInputException(
                    option + " " + file + ": its folder must exist and it must not be a folder itself");
        }
        if (!isWritable(file, folder)) {
            throw new BadInputException("%s %s: no file can be written there; name another".formatted(option, file));
        }
    }

    private static boolean isWritable(Path file, Path folder) {
        if (Files.exists(file)) {
            return Files.isWritable(file);
        }
        try {
            Files.delete(Files.createTempFile(folder, "tailrace", null));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the value, unless no file was asked for. */
    public static void write(Path file, Object value) throws IOException {
        if (file != null) {
            Files.writeString(file, MAPPER.writeValueAsString(value) + "\n");
        }
    }
}
