package io.tailrace.worker.sampling;

/** Logarithms of a row's softmax, summed in double precision with the largest logit taken out, so that nothing overflows. */
public final class LogSoftmax {
    private LogSoftmax() {}

    /**
     * What to take from each logit of a row to have its logarithm of probability: the logarithm of the sum of all exponentials.
     *
     * @param logits row of the model, natural logarithms up to a constant; at least one is finite
     * @param length vocabulary size; what lies behind it is not read
     */
    public static double normalizer(float[] logits, int length) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int token = 0; token < length; token++) {
            largest = Math.max(largest, logits[token]);
        }
        double sum = 0;
        for (int token = 0; token < length; token++) {
            sum += Math.exp(logits[token] - largest);
        }
        return largest + Math.log(sum);
    }
}
