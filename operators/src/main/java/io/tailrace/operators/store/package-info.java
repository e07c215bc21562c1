/**
 * Where segments lie for good, behind a port.
 *
 * <p>{@link io.tailrace.operators.store.DurableStore} puts, fetches, lists and deletes files below a root;
 * {@link io.tailrace.operators.store.FlinkFileStore} does so in any file system Flink knows, and
 * {@link io.tailrace.operators.store.SegmentLayout} says what lies where.
 *
 * <pre>{@code
 * DurableStore store = FlinkFileStore.factory(URI.create("file:///var/tailrace")).open();
 * StoredSegment stored = SegmentLayout.put(store, lane, merged.files(), merged.summary());
 * }</pre>
 *
 * <p>It knows nothing of manifests: a file in the store means nothing until a manifest or an operator's state names it.
 */
package io.tailrace.operators.store;
