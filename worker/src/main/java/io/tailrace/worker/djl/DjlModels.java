package io.tailrace.worker.djl;

import io.tailrace.worker.huggingface.JinjaChatTemplate;
import io.tailrace.worker.huggingface.ModelConfigFile;
import io.tailrace.worker.model.LanguageModel;
import io.tailrace.worker.model.ModelLoadException;
import io.tailrace.worker.model.ModelOptions;

/** Loads all that serving needs of a Hugging Face directory. */
public final class DjlModels {
    private DjlModels() {}

    /** GPUs that the engine sees; starts it. */
    public static int gpus() {
        return DjlEngine.gpus();
    }

    /**
     * Model, tokenizer, chat template and end tokens.
     *
     * @throws ModelLoadException if something is missing, broken, of another kind, or does not belong together
     */
    public static LanguageModel load(ModelOptions options) {
        DjlTokenizer tokenizer = DjlTokenizer.load(options.directory());
        try {
            int rows = ModelConfigFile.read(options.directory()).vocabularySize();
            if (tokenizer.vocabularySize() > rows) {
                throw new ModelLoadException(
                        "%s: tokenizer.json has ids up to %d, config.json a vocab_size of %d; the files do not belong together"
                                .formatted(options.directory(), tokenizer.vocabularySize() - 1, rows));
            }
            return new LanguageModel(
                    DjlModel.load(options),
                    tokenizer,
                    JinjaChatTemplate.read(options.directory()),
                    ModelConfigFile.endTokens(options.directory()));
        } catch (RuntimeException e) {
            tokenizer.close();
            throw e;
        }
    }
}
