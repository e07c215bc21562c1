package io.tailrace.suffix.draft;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The trained weights that ship with the product: a text resource, one number a line, set after set, inputs in their order.
 * Read once.
 */
final class DefaultWeights {
    static final String RESOURCE = "mixer-weights-layout-" + Mixer.LAYOUT + ".txt";

    private static final float[] WEIGHTS = read();

    private DefaultWeights() {}

    static float[] copy() {
        return WEIGHTS.clone();
    }

    private static float[] read() {
        try (InputStream in = DefaultWeights.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + RESOURCE + " must be beside this class, found none");
            }
            return parse(new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static float[] parse(BufferedReader lines) throws IOException {
        float[] weights = new float[Mixer.WEIGHTS];
        int count = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine(), count++) {
            if (count < weights.length) {
                weights[count] = Float.parseFloat(line);
            }
        }
        if (count != weights.length) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "resource %s must hold %d weights, holds %d; train it again for this layout",
                    RESOURCE,
                    weights.length,
                    count));
        }
        return weights;
    }
}
