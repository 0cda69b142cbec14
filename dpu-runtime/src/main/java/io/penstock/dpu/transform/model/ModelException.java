package io.penstock.dpu.transform.model;

/** Why a model, or a part of it, cannot be had. The message says what to do next. */
public final class ModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Whose fault it is, and whether trying again can help. */
  public enum Reason {
    /** The caller's: no model of that name is configured. */
    UNKNOWN_MODEL,
    /** The caller's: the model cannot be divided there. */
    NO_SUCH_CUT,
    /** The operator's: the file cannot be read. */
    UNREADABLE,
    /** The operator's: the file is not the one whose hash is configured. */
    HASH_MISMATCH,
    /** The model's: broken, hostile, or more than the limits allow. */
    REFUSED,
    /** Nobody's: sessions in use hold the memory. Try again later. */
    NO_MEMORY,
    /** Ours: ONNX Runtime failed while it computed. */
    FAILED
  }

  public ModelException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public ModelException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** A model that breaks a rule. */
  public static ModelException refused(String message) {
    return new ModelException(Reason.REFUSED, message);
  }

  public Reason reason() {
    return reason;
  }

  /** The same call may succeed later. */
  public boolean retryable() {
    return reason == Reason.NO_MEMORY;
  }
}
