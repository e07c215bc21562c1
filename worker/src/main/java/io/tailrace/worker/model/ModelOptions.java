package io.tailrace.worker.model;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * How to load a model.
 *
 * @param directory a Hugging Face directory: config.json, safetensors, tokenizer.json
 * @param device {@code cpu}, or {@code cuda:N} with N from 0
 * @param computeType what weights, cache and activations are kept in
 * @param contextTokensMax most tokens a sequence; 0: what the model was trained for
 * @param cacheTokensMax most tokens of all sequences together; the cache's memory is taken at once
 * @param threads threads of one operation on the CPU
 */
public record ModelOptions(
        Path directory, String device, ComputeType computeType, int contextTokensMax, int cacheTokensMax, int threads) {
    /** What weights, cache and activations are kept in, whatever the files hold. */
    public enum ComputeType {
        FP32,
        FP16;

        /** The type of a name in lower case. */
        public static ComputeType of(String name) {
            for (ComputeType type : values()) {
                if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("compute type must be fp32 or fp16, got " + name);
        }
    }

    public ModelOptions {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(computeType, "computeType");
        require(device.matches("cpu|cuda:[0-9]{1,3}"), "device must be cpu or cuda:N, got " + device);
        require(contextTokensMax >= 0, "contextTokensMax must not be negative, got " + contextTokensMax);
        require(cacheTokensMax > 0, "cacheTokensMax must be > 0, got " + cacheTokensMax);
        require(threads > 0, "threads must be > 0, got " + threads);
    }

    /** On the CPU, fp32, one thread, a cache of 16,384 tokens. */
    public static ModelOptions of(Path directory) {
        return new ModelOptions(directory, "cpu", ComputeType.FP32, 0, 16_384, 1);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
