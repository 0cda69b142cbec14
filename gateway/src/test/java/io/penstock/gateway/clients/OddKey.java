package io.penstock.gateway.clients;

/**
 * Object keys that S3 allows and that proxies, path normalisers and URL encoders like to change.
 * Each is distinct from what its usual mistreatments give, so a changed key cannot be mistaken for
 * the right one.
 */
enum OddKey {
  PLAIN("plain/key.bin"),
  PLUS_AND_SPACE("a+b c/d e+f"),
  ENCODED_SLASH("a+b c/é//x%2Fy"),
  PERCENT("100%/%41%zz/%25"),
  LEADING_SLASH("/leading/slash"),
  DOUBLE_SLASH("double//slash///here"),
  DOT_SEGMENTS("dots/../and/./more"),
  LEADING_DOTS("../up"),
  PUNCTUATION("p/( ) ! * ' : @ & = ; , $ ~ \" < > ? # [ ] { } | ^ ` \\ _ -"),
  TRAILING_SLASH("folder/"),
  SPACES(" leading and trailing "),
  UNICODE("ünï/日本語/Ω"),
  DECOMPOSED("e\u0301/a\u030A"),
  EMOJI("emoji/🚀👩‍🔬"),
  LONGEST("k/" + "0123456789abcdef/é-+ ~%".repeat(42) + "z".repeat(14));

  final String key;

  OddKey(String key) {
    this.key = key;
  }

  /** The lower-case name, for file and copy names. */
  String label() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
