package io.tailrace.worker.huggingface;

import com.fasterxml.jackson.databind.JsonNode;
import io.tailrace.worker.model.ModelLoadException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All tensors of a model directory: of model.safetensors, or of the shards that model.safetensors.index.json names. */
public final class WeightFiles {
    private static final String SINGLE = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";

    private final Path directory;
    private final Map<String, StoredTensor> tensors = new HashMap<>();

    private WeightFiles(Path directory) {
        this.directory = directory;
    }

    /** Reads the tables of contents; no weights yet. */
    public static WeightFiles open(Path directory) {
        WeightFiles files = new WeightFiles(directory);
        if (Files.exists(directory.resolve(INDEX))) {
            files.addShards(ModelConfigFile.readJson(directory.resolve(INDEX)).path("weight_map"));
        } else if (Files.exists(directory.resolve(SINGLE))) {
            files.tensors.putAll(SafetensorsFile.read(directory.resolve(SINGLE)));
        } else {
            throw new ModelLoadException(
                    "%s has neither %s nor %s; other weight formats (.bin, .gguf) are not read, convert them to safetensors"
                            .formatted(directory, SINGLE, INDEX));
        }
        return files;
    }

    public boolean has(String name) {
        return tensors.containsKey(name);
    }

    /** A tensor that must be there. */
    public StoredTensor tensor(String name) {
        StoredTensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new ModelLoadException(
                    "%s: the weights lack tensor %s (%d others are there); is config.json of another model?"
                            .formatted(directory, name, tensors.size()));
        }
        return tensor;
    }

    private void addShards(JsonNode weightMap) {
        Set<String> shards = new TreeSet<>();
        weightMap.forEach(shard -> shards.add(shard.asText()));
        if (shards.isEmpty()) {
            throw new ModelLoadException(
                    "%s: weight_map is missing or empty; fetch the file again".formatted(directory.resolve(INDEX)));
        }
        for (String shard : shards) {
            Path file = shardFile(directory, shard)
                    .filter(Files::isRegularFile)
                    .orElseThrow(
                            () -> new ModelLoadException("%s names shard %s, which is not in the directory; fetch it"
                                    .formatted(directory.resolve(INDEX), shard)));
            tensors.putAll(SafetensorsFile.read(file));
        }
    }

    /** Where a shard lies; empty: its name is none of a file in the directory. */
    static Optional<Path> shardFile(Path directory, String shard) {
        try {
            Path file = directory.resolve(shard).normalize();
            return Optional.of(file).filter(path -> Objects.equals(path.getFileName(), Path.of(shard)));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
