package io.tailrace.worker.djl;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import io.tailrace.worker.huggingface.LlamaConfig;
import io.tailrace.worker.huggingface.ModelConfigFile;
import io.tailrace.worker.huggingface.TokenizerMatch;
import io.tailrace.worker.huggingface.WeightFiles;
import io.tailrace.worker.model.CacheRows;
import io.tailrace.worker.model.CachedSequence;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.PassPlan;
import io.tailrace.worker.model.PassPlanner;
import io.tailrace.worker.model.PlannedPass;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A Llama-architecture model on DJL's PyTorch engine: one native call a pass.
 *
 * <p>Native memory has one owner, the manager of this model: weights, the cache (taken at once, one tensor a layer), and the
 * tensors of the last pass in a manager of their own that is closed when the next pass begins. A model of the first layers
 * has its own manager and borrows the weights.
 */
public final class DjlModel implements TargetModel {
    /** Multiplications that cost about as much as the native calls of one further group: on a core, and on a GPU. */
    private static final long GROUP_COST_CPU = 1_000_000;

    private static final long GROUP_COST_GPU = 1_000_000_000;

    private final ModelOptions options;
    private final PtNDManager manager;
    private final LlamaConfig config;
    private final LlamaWeights weights;
    private final LlamaScript script;
    private final CacheRows cache;
    private final PassPlanner planner;
    private final int layers;
    private final int contextTokensMax;
    private final IValue weightList;
    private final IValue cacheList;
    private final PassBuffers inputs;
    private DjlLogits last;
    private boolean closed;

    private DjlModel(
            ModelOptions options,
            PtNDManager manager,
            LlamaConfig config,
            LlamaWeights weights,
            LlamaScript script,
            int layers,
            int contextTokensMax,
            int cacheTokensMax) {
        this.options = options;
        this.manager = manager;
        this.config = config;
        this.weights = weights;
        this.script = script;
        this.layers = layers;
        this.contextTokensMax = contextTokensMax;
        cache = new CacheRows(cacheTokensMax);
        planner = new PassPlanner(cache, config.vocabularySize(), contextTokensMax, paddingCellsMax());
        weightList = IValue.listFrom(weights.firstLayers(layers));
        cacheList = IValue.listFrom(cacheTensors(cacheTokensMax));
        inputs = new PassBuffers(config);
    }

    /** Loads a model from a Hugging Face directory. */
    public static DjlModel load(ModelOptions options) {
        LlamaConfig config = ModelConfigFile.read(options.directory());
        WeightFiles files = WeightFiles.open(options.directory());
        int context = options.contextTokensMax() == 0 ? config.contextTokensMax() : options.contextTokensMax();
        if (context > config.contextTokensMax()) {
            throw new ModelLoadException("contextTokensMax %d is more than the %d positions the model was trained for"
                    .formatted(context, config.contextTokensMax()));
        }
        PtNDManager manager = DjlEngine.open(options.device(), options.threads());
        try {
            LlamaWeights weights = LlamaWeights.load(manager, config, files, options.computeType(), context);
            LlamaScript script = LlamaScript.load(manager);
            return new DjlModel(
                    options, manager, config, weights, script, config.layers(), context, options.cacheTokensMax());
        } catch (EngineException e) {
            manager.close();
            throw new ModelLoadException(
                    "%s does not fit on %s: %s".formatted(options.directory(), options.device(), e.getMessage()), e);
        } catch (RuntimeException e) {
            manager.close();
            throw e;
        }
    }

    @Override
    public int vocabularySize() {
        return config.vocabularySize();
    }

    @Override
    public int contextTokensMax() {
        return contextTokensMax;
    }

    @Override
    public int cacheTokensMax() {
        return cache.rowsMax();
    }

    @Override
    public int cacheTokensFree() {
        return cache.free();
    }

    @Override
    public int layers() {
        return layers;
    }

    /** Tensors in native memory now, those of the last pass included. */
    int nativeArrays() {
        return manager.getManagedArrays().size() + (last == null ? 0 : last.nativeArrays());
    }

    @Override
    public ModelSequence open() {
        requireOpen();
        return new CachedSequence(cache);
    }

    @Override
    public Optional<String> inputMemory() {
        return TensorAddress.known() ? Optional.of(DjlEngine.nameOf(manager.getDevice())) : Optional.empty();
    }

    @Override
    public Logits forward(List<TreeInput> batch) {
        return forward(batch, (plan, tensors) -> {});
    }

    @Override
    public Logits forward(List<TreeInput> batch, Consumer<PlannedPass> completes) {
        int vocabulary = config.vocabularySize();
        return forward(batch, (plan, tensors) -> completes.accept(tensors.in(manager.getDevice(), plan, vocabulary)));
    }

    private Logits forward(List<TreeInput> batch, BiConsumer<PassPlan, PassBuffers.Tensors> completes) {
        requireOpen();
        closeLast();
        PassPlan plan = planner.plan(batch);
        PtNDManager pass = manager.newSubManager(manager.getDevice());
        try {
            PassBuffers.Tensors tensors = inputs.tensors(pass, plan);
            completes.accept(plan, tensors);
            last = script.run(pass, weightList, cacheList, inputs.shape(), tensors, plan);
            return last;
        } catch (RuntimeException e) {
            pass.close();
            throw e;
        }
    }

    @Override
    public TargetModel firstLayers(int layerCount, int cacheTokensMax) {
        requireOpen();
        if (layerCount < 1 || layerCount > layers) {
            throw new IllegalArgumentException("layers must be 1 to %d, got %d".formatted(layers, layerCount));
        }
        return new DjlModel(
                options,
                manager.newSubManager(manager.getDevice()),
                config,
                weights,
                script,
                layerCount,
                contextTokensMax,
                cacheTokensMax);
    }

    @Override
    public TargetModel draftModel(Path directory, int cacheTokensMax) {
        requireOpen();
        TokenizerMatch.requireSame(options.directory(), directory);
        return load(new ModelOptions(
                directory, options.device(), options.computeType(), 0, cacheTokensMax, options.threads()));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            closeLast();
            inputs.close();
            weightList.close();
            cacheList.close();
            manager.close();
        }
    }

    private PtNDArray[] cacheTensors(int rows) {
        PtNDArray[] tensors = new PtNDArray[layers];
        for (int layer = 0; layer < layers; layer++) {
            tensors[layer] = (PtNDArray) manager.zeros(new Shape(rows, 2L * config.keyValueRows()), weights.dataType());
        }
        return tensors;
    }

    private long paddingCellsMax() {
        long perCell = 2L * config.queryRows();
        return (manager.getDevice().isGpu() ? GROUP_COST_GPU : GROUP_COST_CPU) / perCell;
    }

    private void closeLast() {
        if (last != null) {
            last.close();
            last = null;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the model is closed");
        }
    }
}
