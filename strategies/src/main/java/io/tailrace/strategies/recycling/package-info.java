/**
 * Token Recycling: {@link io.tailrace.strategies.recycling.TokenRecyclingDrafter} drafts from an {@link
 * io.tailrace.suffix.candidates.AdjacencyMatrix} of the model's own candidates, along a {@link
 * io.tailrace.strategies.recycling.TreeTemplate}.
 *
 * <pre>{@code
 * Drafter drafter = new TokenRecyclingDrafter(TokenRecyclingSettings.published(), new AdjacencyMatrix(8));
 * drafter.begin(prompt, prompt.length);
 * Draft draft = drafter.draft(LaneIndex.EMPTY, 31);
 * drafter.candidates(token, likeliest, 8); // for each place the model looked at
 * drafter.verified(tokens, length);
 * }</pre>
 */
package io.tailrace.strategies.recycling;
