package io.tailrace.worker.djl;

import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import io.tailrace.worker.model.PassPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The forward pass as a TorchScript module: stateless, so that weights and cache keep their owner, and one call across JNI a
 * pass, where a call an operation would cost several times the arithmetic of a small model.
 */
final class LlamaScript {
    private static final String CLASS = "Llama";
    private static final String SOURCE = "llama.torchscript";

    private final PtSymbolBlock module;

    private LlamaScript(PtSymbolBlock module) {
        this.module = module;
    }

    /** Compiles the module; the manager owns it. */
    static LlamaScript load(PtNDManager manager) {
        try (InputStream source = LlamaScript.class.getResourceAsStream(SOURCE)) {
            String text = new String(source.readAllBytes(), StandardCharsets.UTF_8);
            InputStream archive = new ByteArrayInputStream(TorchScriptArchive.of(CLASS, text));
            return new LlamaScript(JniUtils.loadModule(manager, archive, false, false));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + SOURCE, e);
        }
    }

    /** Runs one pass; its results live in {@code pass}. */
    DjlLogits run(
            PtNDManager pass, IValue weights, IValue cache, IValue shape, PassBuffers.Tensors inputs, PassPlan plan) {
        // Trees differ in size at every step; an executor that specialises on shapes would compile for ever. The word
        // holds for the calling
        // thread only, and a model may change threads.
        JniUtils.setGraphExecutorOptimize(false);
        try (IValue indices = IValue.from(inputs.indices());
                IValue blocked = IValue.from(inputs.blocked());
                IValue dimensions = IValue.listFrom(plan.dimensions());
                IValue result =
                        IValueUtils.runMethod(module, "forward", weights, cache, indices, blocked, shape, dimensions)) {
            return new DjlLogits(pass, plan, result.toNDList(pass));
        }
    }
}
