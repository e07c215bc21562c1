package io.tailrace.cli.serving;

import io.tailrace.client.follow.ServedModel;
import io.tailrace.terminal.BadInputException;
import io.tailrace.terminal.Bounds;
import io.tailrace.worker.device.DeviceChoice;
import io.tailrace.worker.device.ServingDevice;
import io.tailrace.worker.engine.EngineOptions;
import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.model.ChatTemplate;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.ModelLoadException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which model is served, where it computes, and how many requests at once. */
@Command(optionListHeading = "Model")
public final class ModelArguments {
    @Mixin
    private ModelFolder folder;

    @Option(
            names = "--served-model",
            paramLabel = "NAME[@REVISION]",
            description = "How the fleet calls the model. Default: the folder's name, revision main.")
    private String servedModel;

    @Option(
            names = "--chat-template",
            paramLabel = "FILE",
            description =
                    "A chat template in Jinja. Default: that of the model's folder; without one there are no chats.")
    private Path chatTemplate;

    @Mixin
    private DeviceOptions device = new DeviceOptions();

    @Bounds(min = 0)
    @Option(
            names = "--device-bytes",
            hidden = true,
            defaultValue = "0",
            paramLabel = "BYTES",
            description = "With drafts on a GPU, most bytes that all lanes take there; "
                    + "0: a quarter of what is free once the model is loaded. Default: 0.")
    private long deviceBytes;

    @Bounds(min = 1)
    @Option(
            names = "--batch",
            defaultValue = "8",
            paramLabel = "N",
            description = "Requests decoded at once. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Bounds(min = 0)
    @Option(
            names = "--queue",
            hidden = true,
            defaultValue = "64",
            paramLabel = "N",
            description = "Requests that may wait; more get 429. Default: ${DEFAULT-VALUE}.")
    private int queue;

    @Bounds(min = 0)
    @Option(
            names = "--context-tokens",
            hidden = true,
            defaultValue = "0",
            paramLabel = "N",
            description = "Most tokens of a prompt and its answer; 0: what the model was trained for. Default: 0.")
    private int contextTokens;

    @Bounds(min = 1)
    @Option(
            names = "--cache-tokens",
            hidden = true,
            defaultValue = "16384",
            paramLabel = "N",
            description = "Room of the KV cache, in tokens of all requests. Default: ${DEFAULT-VALUE}.")
    private int cacheTokens;

    @Bounds(min = 0)
    @Option(
            names = "--prompt-tokens-max",
            hidden = true,
            defaultValue = "0",
            paramLabel = "N",
            description = "Longest prompt; 0: what the context has room for. Default: 0.")
    private int promptTokens;

    @Bounds(min = 0)
    @Option(
            names = "--output-tokens-max",
            hidden = true,
            defaultValue = "0",
            paramLabel = "N",
            description =
                    "Longest answer; 0: what there is room for, and --cache-tokens / --batch where none is asked for. Default: 0.")
    private int outputTokens;

    @Bounds(min = 1)
    @Option(
            names = "--prefill-tokens",
            hidden = true,
            defaultValue = "256",
            paramLabel = "N",
            description = "Prompt tokens a step, over all requests. Default: ${DEFAULT-VALUE}.")
    private int prefillTokens;

    /** Of the model in that folder, whose option comes first. */
    public ModelArguments(ModelFolder folder) {
        this.folder = folder;
    }

    /** Refuses what can be told to be wrong before anything is loaded. */
    public void check() {
        if (!Files.isDirectory(folder.path())) {
            throw new BadInputException(
                    "--model %s: there is no such folder; give the model's folder as downloaded, with config.json in it"
                            .formatted(folder.path()));
        }
        if (chatTemplate != null && !Files.isReadable(chatTemplate)) {
            throw new BadInputException(
                    "--chat-template: there is no file %s that can be read".formatted(chatTemplate));
        }
    }

    /** Decides between CPU and GPU, once. */
    public DeviceChoice choose(String strategy) {
        return device.choose(strategy);
    }

    /** The model, from its folder. */
    public LanguageModel load() {
        Optional<ChatTemplate> template = template();
        LanguageModel model = device.load(folder.path(), contextTokens, cacheTokens);
        return template.map(model::withChat).orElse(model);
    }

    private Optional<ChatTemplate> template() {
        try {
            return chatTemplate == null
                    ? Optional.empty()
                    : Optional.of(JinjaChatTemplate.of(chatTemplate, folder.path()));
        } catch (ModelLoadException e) {
            throw new BadInputException("--chat-template: " + e.getMessage(), e);
        }
    }

    /** Where it is drafted. */
    public ServingDevice drafts(DeviceChoice choice, EngineOptions engine, LanguageModel model) {
        return ServingDevice.open(
                choice, engine.batchMax(), engine.budgetMax(), model.target().contextTokensMax(), deviceBytes);
    }

    /** Limits of decoding, with at most so many draft tokens a verification. */
    public EngineOptions engine(int budget) {
        return new EngineOptions(batch, queue, promptTokens, outputTokens, prefillTokens, budget);
    }

    /** Requests that are decoded or wait. */
    public int requestsMax() {
        return batch + queue;
    }

    /** Which workers compute alike. */
    public String workerClass() {
        return device.workerClass();
    }

    /** As the fleet calls it. */
    public String name() {
        return servedModel == null
                ? folder.path().toAbsolutePath().normalize().getFileName().toString()
                : servedModel;
    }

    /** The loaded model as the fleet calls it. */
    public ServedModel served(LanguageModel model) {
        String[] name = name().split("@", 2);
        return new ServedModel(
                name[0],
                name.length == 2 ? name[1] : "main",
                model.target().vocabularySize(),
                model.tokenizer().fingerprint());
    }
}
