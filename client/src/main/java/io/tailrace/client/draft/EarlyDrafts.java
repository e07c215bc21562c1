package io.tailrace.client.draft;

/** Drafts of a request that can be begun before it says anything, while its engine still reads the prompt. */
public interface EarlyDrafts extends RequestDrafts {
    /**
     * Does now what the next draft would have to do first: takes the context in, looks for the answers to similar requests. Also while a step's draft is
     * verified. Drafts are the same without, but for answers that come meanwhile: what is similar is looked for once.
     */
    void prepare();

    /**
     * Takes in what was said in no step of the source's; between steps.
     *
     * @param tokens not kept
     */
    void said(int[] tokens, int count);
}
