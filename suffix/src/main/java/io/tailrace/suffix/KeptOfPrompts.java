package io.tailrace.suffix;

import java.util.List;

/**
 * What is kept of prompts with their answers, by scope: tails and signatures. Which tokens an answer copies is kept where signatures are.
 *
 * @param tails how many of a prompt's last tokens
 * @param signatures whether a prompt's signature
 */
public record KeptOfPrompts(PromptTails tails, PromptSignatures signatures) {
    /**
     * What is kept where nobody says otherwise.
     *
     * @return three tokens and a signature in every scope
     */
    public static KeptOfPrompts usual() {
        return new KeptOfPrompts(PromptTails.defaults(), PromptSignatures.defaults());
    }

    /**
     * Reads both as options give them.
     *
     * @param tails {@code [SCOPE=]TOKENS} each
     * @param signatures {@code [SCOPE=]on|off} each
     * @return what they mean
     */
    public static KeptOfPrompts parse(List<String> tails, List<String> signatures) {
        return new KeptOfPrompts(PromptTails.parse(tails), PromptSignatures.parse(signatures));
    }

    /**
     * An answer as its scope remembers it.
     *
     * @param scope its name
     * @param prompt of the whole prompt
     * @param tokens the answer's
     * @return the answer, with no more of its prompt than the scope keeps
     */
    public RememberedAnswer answer(String scope, int[] prompt, int[] tokens) {
        int tail = tails.tokens(scope);
        return signatures.kept(scope)
                ? RememberedAnswer.of(prompt, tail, tokens)
                : new RememberedAnswer(RememberedAnswer.tail(prompt, tail), tokens);
    }

    /**
     * The same without which tokens are copied: what is fresh is not counted.
     *
     * @param scope its name
     * @param prompt of the whole prompt
     * @param tokens the answer's
     * @return the answer, with no more of its prompt than the scope keeps
     */
    public RememberedAnswer fresh(String scope, int[] prompt, int[] tokens) {
        return new RememberedAnswer(
                RememberedAnswer.tail(prompt, tails.tokens(scope)),
                tokens,
                signatures.kept(scope) ? PromptSignature.of(prompt) : PromptSignature.NONE);
    }

    /**
     * An answer that somebody else has made, without what its scope does not keep.
     *
     * @param scope its name
     * @param answer with more or less of its prompt
     * @return the same where there is nothing to leave out
     */
    public RememberedAnswer cut(String scope, RememberedAnswer answer) {
        int tail = tails.tokens(scope);
        boolean signed = signatures.kept(scope);
        boolean fits = answer.promptTail().length <= tail;
        if (fits && (signed || (answer.copied() == null && answer.signature().size() == 0))) {
            return answer;
        }
        return new RememberedAnswer(
                RememberedAnswer.tail(answer.promptTail(), tail),
                answer.tokens(),
                signed ? answer.copied() : null,
                signed ? answer.signature() : PromptSignature.NONE);
    }
}
