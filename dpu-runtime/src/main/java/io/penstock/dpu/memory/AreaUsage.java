package io.penstock.dpu.memory;

/**
 * The figures of one area at one moment; bytes unless said otherwise.
 *
 * @param used held now, the lifeline included
 * @param limit the most this area may ever hold
 * @param peak the most it has held
 * @param waiting claims in the queue, a count
 * @param waitingBytes what they ask for together
 * @param granted claims granted since the start, a count
 * @param waited those of them that had to queue, a count
 * @param refused non-blocking claims turned down since the start, a count
 */
public record AreaUsage(
    long used,
    long limit,
    long peak,
    int waiting,
    long waitingBytes,
    long granted,
    long waited,
    long refused) {}
