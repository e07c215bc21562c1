package io.tailrace.tap;

import java.util.Locale;

/** Why an answer, or one of its choices, is not published. */
enum SkipReason {
    /** The client went away, or the server broke off, before the answer was whole. */
    ABORTED,
    /** The server answered with an error or not at all, or ended the answer for an error. */
    FAILED,
    /** Request or answer has more bytes than are kept of one. */
    TOO_LARGE,
    /** All bodies kept at once had no room for these. */
    NO_ROOM,
    /** More answers wait to be published than may, or the tap ended before it was their turn. */
    BEHIND,
    /** The request, or its answer, is not what OpenAI's API has. */
    UNREADABLE,
    /** Another model answered. */
    OTHER_MODEL,
    /** No valid scope is known. */
    UNKNOWN_SCOPE,
    /** The client asked that the answer be kept nowhere, or shared with nobody. */
    PRIVATE,
    /** The server gave no token ids, and there is no tokenizer. */
    NO_IDS,
    /** The server gave no token ids, and the answer has several choices. */
    MANY_CHOICES,
    /** The server gave no token ids, and the chat's template is not known. */
    NO_TEMPLATE,
    /** The server gave no token ids, and prompt or answer is more than plain text. */
    NOT_TEXT,
    /** The ids are not all there, or the tokenizer's cannot be those of the model. */
    INEXACT,
    /** It has no token. */
    EMPTY,
    /** Something broke; the log says what. */
    BROKEN;

    /** As metrics name it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** On its way to being counted. */
    static final class SkippedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final SkipReason reason;

        SkippedException(SkipReason reason) {
            super(reason.label(), null, false, false);
            this.reason = reason;
        }

        SkipReason reason() {
            return reason;
        }
    }
}
