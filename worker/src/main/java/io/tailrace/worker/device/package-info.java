/**
 * Drafting and acceptance on a GPU, as a worker does it, behind the port {@link io.tailrace.gpu.DraftDevice}.
 *
 * <p>{@link io.tailrace.worker.device.DeviceDrafts} takes the place of a source of drafts: it drafts for all requests of a step in
 * one launch, from the lanes' snapshots that {@code SnapshotUploads} keeps on the device, and chooses their tokens there, from the
 * model's logits where they lie. What the device cannot serve is drafted for on the host.
 * {@link io.tailrace.worker.device.DeviceChoice} decides between CPU and GPU, and says why.
 *
 * <pre>{@code
 * DraftSource drafts = new DeviceDrafts(device, onHost, target.inputMemory(), lanes::ofRequest, served, scratchFolder);
 * }</pre>
 *
 * <p>It runs no model, and does not learn: the weights are those that the policy brings.
 */
package io.tailrace.worker.device;
