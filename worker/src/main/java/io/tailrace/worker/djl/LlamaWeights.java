package io.tailrace.worker.djl;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import io.tailrace.worker.huggingface.Half;
import io.tailrace.worker.huggingface.LlamaConfig;
import io.tailrace.worker.huggingface.RopeTable;
import io.tailrace.worker.huggingface.StoredTensor;
import io.tailrace.worker.huggingface.WeightFiles;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.ModelOptions.ComputeType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A model's weights in native memory, in the order that {@code llama.torchscript} wants them, projections that share an input
 * fused into one. Numbers are converted on the way from the file, a megabyte at a time, straight into the tensor's memory.
 */
final class LlamaWeights {
    private static final String EMBEDDING = "model.embed_tokens.weight";
    private static final String HEAD = "lm_head.weight";
    private static final int SHARED_TENSORS = 6;
    private static final int LAYER_TENSORS = 6;

    private final PtNDManager manager;
    private final LlamaConfig config;
    private final WeightFiles files;
    private final ComputeType type;
    private final List<PtNDArray> tensors = new ArrayList<>();

    private LlamaWeights(PtNDManager manager, LlamaConfig config, WeightFiles files, ComputeType type) {
        this.manager = manager;
        this.config = config;
        this.files = files;
        this.type = type;
    }

    /** Loads all weights; the manager owns them. */
    static LlamaWeights load(
            PtNDManager manager, LlamaConfig config, WeightFiles files, ComputeType type, int positions) {
        LlamaWeights weights = new LlamaWeights(manager, config, files, type);
        weights.addShared(positions);
        for (int layer = 0; layer < config.layers(); layer++) {
            weights.addLayer("model.layers." + layer + ".");
        }
        return weights;
    }

    /** The shared tensors and those of the first layers. */
    PtNDArray[] firstLayers(int layers) {
        return tensors.subList(0, SHARED_TENSORS + LAYER_TENSORS * layers).toArray(PtNDArray[]::new);
    }

    DataType dataType() {
        return type == ComputeType.FP16 ? DataType.FLOAT16 : DataType.FLOAT32;
    }

    private void addShared(int positions) {
        boolean headOnly = config.tied() && !files.has(EMBEDDING) && files.has(HEAD);
        PtNDArray embedding = matrix(config.vocabularySize(), config.hidden(), headOnly ? HEAD : EMBEDDING);
        tensors.add(embedding);
        tensors.add(norm("model.norm.weight"));
        tensors.add(config.tied() ? embedding : matrix(config.vocabularySize(), config.hidden(), HEAD));
        RopeTable rope = RopeTable.of(config, positions);
        tensors.add(table(rope.cosines(), positions));
        tensors.add(table(rope.signedSines(), positions));
        tensors.add((PtNDArray) manager.create((float) Math.sqrt(config.normEpsilon() * config.hidden())));
    }

    private void addLayer(String layer) {
        String attention = layer + "self_attn.";
        tensors.add(norm(layer + "input_layernorm.weight"));
        tensors.add(fused(
                config.hidden(),
                stored(attention + "q_proj.weight", config.queryRows(), config.hidden()),
                stored(attention + "k_proj.weight", config.keyValueRows(), config.hidden()),
                stored(attention + "v_proj.weight", config.keyValueRows(), config.hidden())));
        tensors.add(matrix(config.hidden(), config.queryRows(), attention + "o_proj.weight"));
        tensors.add(norm(layer + "post_attention_layernorm.weight"));
        tensors.add(fused(
                config.hidden(),
                stored(layer + "mlp.gate_proj.weight", config.intermediate(), config.hidden()),
                stored(layer + "mlp.up_proj.weight", config.intermediate(), config.hidden())));
        tensors.add(matrix(config.hidden(), config.intermediate(), layer + "mlp.down_proj.weight"));
    }

    private StoredTensor stored(String name, long... shape) {
        return files.tensor(name).requireShape(shape);
    }

    /** A norm's weight times the root of its length, as the script wants it. */
    private PtNDArray norm(String name) {
        float[] numbers = stored(name, config.hidden()).floats();
        for (int place = 0; place < numbers.length; place++) {
            numbers[place] = (float) (numbers[place] * Math.sqrt(config.hidden()));
        }
        return (PtNDArray) manager.create(numbers);
    }

    private PtNDArray matrix(int rows, int columns, String name) {
        return filled(new Shape(rows, columns), name, stored(name, rows, columns));
    }

    private PtNDArray fused(int columns, StoredTensor... parts) {
        long numbers = 0;
        for (StoredTensor part : parts) {
            numbers += part.size();
        }
        return filled(new Shape(numbers / columns, columns), parts[0].name(), parts);
    }

    private PtNDArray filled(Shape shape, String name, StoredTensor... parts) {
        return place(shape, name, bytes -> {
            for (StoredTensor part : parts) {
                if (type == ComputeType.FP16) {
                    part.writeHalves(bytes);
                } else {
                    part.writeFloats(bytes);
                }
            }
        });
    }

    private PtNDArray table(float[] numbers, int positions) {
        return place(new Shape(positions, config.headSize()), "rope", bytes -> {
            for (float number : numbers) {
                if (type == ComputeType.FP16) {
                    bytes.putShort(Half.fromFloat(number));
                } else {
                    bytes.putFloat(number);
                }
            }
        });
    }

    /** A tensor whose memory is written in place, then moved if the model lives on another device. */
    private PtNDArray place(Shape shape, String name, Consumer<ByteBuffer> writer) {
        long bytes = shape.size() * dataType().getNumOfBytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new ModelLoadException("tensor %s needs %,d bytes, at most %,d can be loaded; try fp16"
                    .formatted(name, bytes, Integer.MAX_VALUE));
        }
        try (PtNDManager host = manager.newSubManager(Device.cpu())) {
            PtNDArray array = host.create(shape, dataType());
            ByteBuffer memory = array.toByteBuffer(true).order(ByteOrder.nativeOrder());
            writer.accept(memory);
            if (memory.hasRemaining()) {
                throw new IllegalStateException(name + " was not written to its end");
            }
            PtNDArray placed = array.toDevice(manager.getDevice(), false);
            placed.attach(manager);
            return placed;
        }
    }
}
