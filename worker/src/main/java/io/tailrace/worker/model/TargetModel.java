package io.tailrace.worker.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A language model that verifies the draft trees of several requests in one forward pass.
 *
 * <p>One thread calls a model, its sequences and its logits; whoever owns the model may hand it to another thread between
 * calls. Results depend on a sequence's own tokens only: which requests share its batch changes nothing but the last bits of
 * the logits.
 */
public interface TargetModel extends AutoCloseable {
    /** Decoder layers that a pass runs through. */
    int layers();

    /** Logits a row; token ids are 0 to this minus one. */
    int vocabularySize();

    /** Most tokens of one sequence: committed ones and those of the pass together. */
    int contextTokensMax();

    /** Most tokens that all open sequences hold together: committed ones and those of the pass. */
    int cacheTokensMax();

    /** Most tokens that one sequence can have, alone in the cache: committed ones and those of the pass together. */
    default int sequenceTokensMax() {
        return Math.min(contextTokensMax(), cacheTokensMax());
    }

    /** Tokens that the cache can still take. Those of the last pass count as taken until commit, close or the next pass. */
    int cacheTokensFree();

    /** Opens an empty sequence; it takes cache only for what it holds. */
    ModelSequence open();

    /**
     * One pass: appends each input's tokens behind its sequence's committed tokens and computes the logits asked for. What the
     * last pass appended to any of these sequences and was not committed is dropped first.
     *
     * @param batch at least one input, each sequence at most once, all of this model
     * @return valid until the next pass of this model
     * @throws IllegalArgumentException if a token is outside the vocabulary or a sequence would grow over {@link #contextTokensMax}
     * @throws CacheFullException if the cache cannot take the batch; the committed tokens are unharmed
     */
    Logits forward(List<TreeInput> batch);

    /** Whose memory the inputs of a pass lie in, {@code cpu} or {@code cuda:N}; empty where nobody else can write them. */
    default Optional<String> inputMemory() {
        return Optional.empty();
    }

    /**
     * One pass over inputs that are not all known yet: what {@code completes} writes counts in the place of the tokens, positions and
     * blocked cells that followed from {@code batch}. Where it hangs nodes on others than planned, {@link ModelSequence#revise} has to
     * be told before {@link ModelSequence#commit}. Only with an {@link #inputMemory}.
     *
     * @param completes called once, when the pass is planned and before it runs
     */
    default Logits forward(List<TreeInput> batch, Consumer<PlannedPass> completes) {
        throw new UnsupportedOperationException("the inputs of this model's passes are out of reach");
    }

    /**
     * The first layers of this model with its output head, as a draft model that needs no further weights. It has its own
     * sequences and its own cache, and is closed before this model.
     *
     * @param layers 1 to the model's own number
     * @param cacheTokensMax as of {@link #cacheTokensMax}
     */
    TargetModel firstLayers(int layers, int cacheTokensMax);

    /**
     * Another model to draft for this one, on its device. It has its own weights, sequences and cache, and is closed before this
     * model.
     *
     * @param directory a Hugging Face directory
     * @param cacheTokensMax as of {@link #cacheTokensMax}
     * @throws ModelLoadException if it cannot be loaded, or gives other ids to tokens than this model
     */
    TargetModel draftModel(Path directory, int cacheTokensMax);

    /** Frees weights and cache; open sequences are void. */
    @Override
    void close();

    /** A pass would hold more tokens than the KV cache has room for: close a sequence, or try a smaller pass. */
    final class CacheFullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public CacheFullException(int wantedTokens, int freeTokens, int cacheTokensMax) {
            super("the pass needs cache for %,d tokens, free are %,d of cacheTokensMax %,d"
                    .formatted(wantedTokens, freeTokens, cacheTokensMax));
        }
    }
}
