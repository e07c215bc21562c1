package io.tailrace.worker.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tailrace.worker.engine.TokenLogprob;
import io.tailrace.worker.model.TextTokenizer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes how likely the tokens of one answer were, as OpenAI's two endpoints do. One answer, one thread. */
final class LogprobsJson {
    /** As OpenAI says it of a token that cannot come: JSON has no infinity. */
    private static final double NEVER = -9999.0;

    private static final char BROKEN = '\ufffd';

    private final TextTokenizer tokenizer;
    private final boolean chat;
    private int offset;

    LogprobsJson(TextTokenizer tokenizer, boolean chat) {
        this.tokenizer = tokenizer;
        this.chat = chat;
    }

    /** Puts the next tokens into a choice; the answer's text, as {@code text_offset} counts it, goes on behind those before. */
    void put(ObjectNode choice, List<TokenLogprob> tokens) {
        ObjectNode logprobs = choice.putObject("logprobs");
        if (chat) {
            content(logprobs, tokens);
        } else {
            columns(logprobs, tokens);
        }
    }

    private void content(ObjectNode logprobs, List<TokenLogprob> tokens) {
        ArrayNode content = logprobs.putArray("content");
        for (TokenLogprob each : tokens) {
            ObjectNode token = content.addObject();
            token(token, each.token(), each.logprob());
            ArrayNode top = token.putArray("top_logprobs");
            for (int i = 0; i < each.topTokens().length; i++) {
                token(top.addObject(), each.topTokens()[i], each.topLogprobs()[i]);
            }
        }
        logprobs.putNull("refusal");
    }

    /** A part of a character has bytes that its text does not tell. */
    private void token(ObjectNode into, int token, double logprob) {
        String text = tokenizer.text(token);
        into.put("token", text).put("logprob", finite(logprob));
        if (text.indexOf(BROKEN) >= 0) {
            into.putNull("bytes");
            return;
        }
        ArrayNode bytes = into.putArray("bytes");
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            bytes.add(each & 0xff);
        }
    }

    private void columns(ObjectNode logprobs, List<TokenLogprob> tokens) {
        ArrayNode texts = logprobs.putArray("tokens");
        ArrayNode values = logprobs.putArray("token_logprobs");
        ArrayNode top = logprobs.putArray("top_logprobs");
        ArrayNode offsets = logprobs.putArray("text_offset");
        for (TokenLogprob each : tokens) {
            String text = tokenizer.text(each.token());
            texts.add(text);
            values.add(finite(each.logprob()));
            likeliest(top.addObject(), each, text);
            offsets.add(offset);
            offset += text.codePointCount(0, text.length());
        }
    }

    /** The chosen token is among them in any case. Of tokens with the same text the likeliest stands. */
    private void likeliest(ObjectNode into, TokenLogprob each, String chosen) {
        for (int i = 0; i < each.topTokens().length; i++) {
            String text = tokenizer.text(each.topTokens()[i]);
            if (!into.has(text)) {
                into.put(text, finite(each.topLogprobs()[i]));
            }
        }
        if (!into.has(chosen)) {
            into.put(chosen, finite(each.logprob()));
        }
    }

    private static double finite(double logprob) {
        return Double.isInfinite(logprob) ? NEVER : logprob;
    }
}
