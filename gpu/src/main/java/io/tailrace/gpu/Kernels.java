package io.tailrace.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The compiled kernels in this module's jar, and what they were made of. {@code gpu/build.sh} makes both. */
public final class Kernels {
    private static final String BINARY = "kernels.fatbin";
    private static final String ORIGIN = "kernels.properties";

    private Kernels() {}

    /** Machine code for several GPUs, and PTX for later ones, as the driver loads it. */
    public static byte[] binary() {
        return read(BINARY);
    }

    /** SHA-256 of the sources that the binary was compiled from: each file's name, a line end, its bytes, in order of names. */
    static String sourceSha256() {
        return origin("source");
    }

    static String binarySha256() {
        return origin("binary");
    }

    /** Release of the compiler; the driver must know it, or a newer one: {@code 13.0}. */
    public static String compilerRelease() {
        return origin("nvcc");
    }

    private static String origin(String key) {
        Properties origin = new Properties();
        try (InputStream in = Kernels.class.getResourceAsStream(ORIGIN)) {
            origin.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return origin.getProperty(key);
    }

    private static byte[] read(String name) {
        try (InputStream in = Kernels.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " must be beside this class; run gpu/build.sh");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
