/**
 * Commands that stand before a replay: {@code convert} writes any log as token ids, {@code check} holds requests against the job's rules.
 *
 * <pre>{@code
 * tailrace convert --input chat.jsonl --tokenizer MODEL --output ids.jsonl.gz
 * tailrace check --input ids.jsonl.gz --vocabulary 128256
 * }</pre>
 *
 * <p>Nothing here drafts, and nothing is sent.
 */
package io.tailrace.lab.convert;
