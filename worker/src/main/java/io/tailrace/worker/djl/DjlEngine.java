package io.tailrace.worker.djl;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import io.tailrace.worker.model.ModelLoadException;

/**
 * Starts DJL's PyTorch engine, once a process, with nothing fetched from anywhere: the native libraries come from the class
 * path and are unpacked once into {@code DJL_CACHE_DIR} (environment or system property), by default
 * {@code $XDG_CACHE_HOME/tailrace/djl} or {@code ~/.cache/tailrace/djl}, about 430 MB.
 */
final class DjlEngine {
    private static final String ENGINE = "PyTorch";
    private static final String CACHE = "DJL_CACHE_DIR";

    private DjlEngine() {}

    /**
     * A manager that owns native memory on a device.
     *
     * @param device {@code cpu} or {@code cuda:N}
     * @param threads threads of one operation on the CPU; the last caller's word holds for the process
     */
    static synchronized PtNDManager open(String device, int threads) {
        DjlSettings.setDefault("ai.djl.pytorch.num_threads", String.valueOf(threads));
        DjlSettings.setDefault("ai.djl.pytorch.num_interop_threads", "1");
        Engine engine = start();
        JniUtils.setNumThreads(threads);
        return (PtNDManager) engine.newBaseManager(device(engine, device));
    }

    /** The name of a device as {@link #open} takes it. */
    static String nameOf(Device device) {
        return device.isGpu() ? "cuda:" + device.getDeviceId() : "cpu";
    }

    /** GPUs that PyTorch sees. */
    static synchronized int gpus() {
        Engine engine = start();
        return engine.hasCapability("CUDA") ? engine.getGpuCount() : 0;
    }

    private static Engine start() {
        DjlSettings.prepare();
        try {
            return Engine.getEngine(ENGINE);
        } catch (EngineException | LinkageError e) {
            throw new ModelLoadException(
                    "PyTorch does not start on this machine (%s %s): %s; the class path needs ai.djl.pytorch:pytorch-native-cpu with this platform's classifier, and %s a folder that can be written"
                            .formatted(
                                    System.getProperty("os.name"),
                                    System.getProperty("os.arch"),
                                    e.getMessage(),
                                    CACHE),
                    e);
        }
    }

    private static Device device(Engine engine, String device) {
        if (device.equals("cpu")) {
            return Device.cpu();
        }
        int index = Integer.parseInt(device.substring(device.indexOf(':') + 1));
        if (!engine.hasCapability("CUDA") || index >= engine.getGpuCount()) {
            throw new ModelLoadException(
                    "device %s is not there: PyTorch %s sees %d GPUs; put pytorch-native-cu128 on the class path or let PYTORCH_LIBRARY_PATH name a libtorch with CUDA, or take --device cpu"
                            .formatted(device, engine.getVersion(), engine.getGpuCount()));
        }
        return Device.gpu(index);
    }
}
