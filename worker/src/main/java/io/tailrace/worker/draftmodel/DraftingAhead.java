package io.tailrace.worker.draftmodel;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drafts while the target verifies, on a thread of its own, for the likeliest endings of that verification (the speculation cache:
 * Kumar, Dao, May, arXiv 2603.03251). Between {@link #begin} and {@link #end} the draft model is that thread's. The verification's
 * end stops it behind the pass in hand: what has grown until then is there at once, if the ending was foreseen.
 *
 * <p>A request whose ending was not foreseen drafts while the others wait, or goes without a draft where the batch is so large that
 * this costs more than it gives ({@link MissChoice}).
 */
final class DraftingAhead implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DraftingAhead.class);

    private final TargetModel model;
    private final ModelDrafts.Options options;
    private final TokenRow row;
    private final String name;
    private final ExecutorService thread;
    private final MissChoice misses = new MissChoice();
    private Future<?> preparing;
    private long beganNanos;
    private volatile boolean ended;

    DraftingAhead(TargetModel model, ModelDrafts.Options options, TokenRow row, String name) {
        this.model = model;
        this.options = options;
        this.row = row;
        this.name = name;
        this.thread = Executors.newSingleThreadExecutor(work -> {
            Thread speculating = new Thread(work, "speculation");
            speculating.setDaemon(true);
            return speculating;
        });
    }

    /** Drafts for those whose verification ended as nobody had foreseen, if that pays in a batch of so many. */
    void grow(int batch, List<ModelDrafting> missed, LineGrowth growth) {
        if (missed.isEmpty() || !misses.draft(batch)) {
            return;
        }
        long began = System.nanoTime();
        growth.grow(missed);
        misses.drafted(System.nanoTime() - began);
    }

    /** Gives the model away until {@link #end}. */
    void begin(List<ModelDrafting> requests) {
        ended = false;
        beganNanos = System.nanoTime();
        preparing = thread.submit(() -> prepare(requests));
    }

    /** The verification has ended; returns when the model is free again. */
    void end() {
        if (preparing == null) {
            return;
        }
        ended = true;
        misses.verified(System.nanoTime() - beganNanos);
        Future<?> last = preparing;
        preparing = null;
        try {
            last.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the draft model was away", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("drafting ahead broke", e.getCause());
        }
    }

    MissChoice misses() {
        return misses;
    }

    private void prepare(List<ModelDrafting> requests) {
        List<ForkTree> trees = new ArrayList<>();
        int free = model.cacheTokensFree();
        for (ModelDrafting request : requests) {
            int most = ForkTree.tokensMax(request, options.forksMax(), options.tokensMax());
            if (most <= free && request.length() + most <= model.contextTokensMax()) {
                trees.add(new ForkTree(request, options.forksMax()));
                free -= most;
            }
        }
        if (!trees.isEmpty()) {
            grow(trees);
        }
    }

    private void grow(List<ForkTree> trees) {
        Logits rows = model.forward(trees.stream().map(ForkTree::places).toList());
        for (int tree = 0; tree < trees.size(); tree++) {
            trees.get(tree).choose(rows, tree, row);
        }
        for (int token = 0; token < options.tokensMax() && !ended; token++) {
            List<TreeInput> layers = trees.stream().map(ForkTree::layer).toList();
            Logits logits = model.forward(layers);
            for (int tree = 0; tree < trees.size(); tree++) {
                trees.get(tree).grow(logits, tree, layers.get(tree).size(), row);
            }
        }
        misses.prepared(System.nanoTime() - beganNanos);
        trees.forEach(ForkTree::store);
    }

    @Override
    public void close() {
        end();
        thread.shutdown();
        LOG.info("{}: {}", name, misses);
    }
}
