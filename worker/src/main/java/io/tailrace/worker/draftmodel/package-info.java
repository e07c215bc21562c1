/**
 * Drafts of a small language model: a model of its own, or the target's first layers.
 *
 * <p>{@link io.tailrace.worker.draftmodel.ModelDrafts} is the source. It drafts lines, each token the likeliest behind the one before,
 * for all requests of a step together. With a speculation cache it prepares, while the target verifies, drafts for the likeliest
 * endings of that verification: {@link io.tailrace.worker.draftmodel.AheadOfVerification} is how the engine lets it.
 *
 * <pre>{@code
 * DraftSource drafts = new ModelDrafts(
 *         "draft-model", target.firstLayers(4, 16_384), target.vocabularySize(), new ModelDrafts.Options(4, 0));
 * }</pre>
 *
 * <p>Nothing here knows snapshots or other requests' answers.
 */
package io.tailrace.worker.draftmodel;
