package io.tailrace.worker.djl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs the source text of a TorchScript module without parameters into the archive that PyTorch loads, so that the module is
 * kept as readable text and no Python is needed to make it. The archive is a zip of stored entries (PyTorch's
 * {@code torch/csrc/jit/docs/serialization.md}):
 *
 * <pre>
 * entry                what
 * code/__torch__.py    the class
 * data.pkl             the module object, pickled: its class and the attribute {@code training}
 * constants.pkl        the tensor constants of the code, pickled: an empty tuple
 * version              3
 * </pre>
 */
final class TorchScriptArchive {
    private static final int[] PICKLE_PROTOCOL_2 = {0x80, 2};
    private static final int[] NEW_OBJECT_WITH_STATE = {')', 0x81, '}', '('};
    private static final int[] TEXT_OF_8_BYTES = {'X', 8, 0, 0, 0};
    private static final int[] FALSE_SET_BUILD_STOP = {0x89, 'u', 'b', '.'};
    private static final int[] EMPTY_TUPLE_STOP = {')', '.'};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private TorchScriptArchive() {}

    /**
     * The archive of one module.
     *
     * @param className the class in {@code source}
     * @param source its text, in the dialect that PyTorch itself writes
     */
    static byte[] of(String className, String source) {
        TorchScriptArchive archive = new TorchScriptArchive();
        try (ZipOutputStream zip = new ZipOutputStream(archive.bytes)) {
            zip.setMethod(ZipOutputStream.STORED);
            put(zip, "data.pkl", module(className));
            put(zip, "code/__torch__.py", source.getBytes(StandardCharsets.UTF_8));
            put(zip, "constants.pkl", pickle(EMPTY_TUPLE_STOP));
            put(zip, "version", "3\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("a zip in memory cannot fail", e);
        }
        return archive.bytes.toByteArray();
    }

    private static byte[] module(String className) {
        byte[] global = ("c__torch__\n" + className + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream pickled = new ByteArrayOutputStream();
        pickled.writeBytes(pickle());
        pickled.writeBytes(global);
        append(pickled, NEW_OBJECT_WITH_STATE);
        append(pickled, TEXT_OF_8_BYTES);
        pickled.writeBytes("training".getBytes(StandardCharsets.US_ASCII));
        append(pickled, FALSE_SET_BUILD_STOP);
        return pickled.toByteArray();
    }

    private static byte[] pickle(int... operations) {
        ByteArrayOutputStream pickled = new ByteArrayOutputStream();
        append(pickled, PICKLE_PROTOCOL_2);
        append(pickled, operations);
        return pickled.toByteArray();
    }

    private static void append(ByteArrayOutputStream pickled, int[] operations) {
        for (int operation : operations) {
            pickled.write(operation);
        }
    }

    private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry("llama/" + name);
        CRC32 checksum = new CRC32();
        checksum.update(content);
        entry.setSize(content.length);
        entry.setCompressedSize(content.length);
        entry.setCrc(checksum.getValue());
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }
}
