package io.penstock.config;

/** Forms of text that several keys share, each with its words for the error message. */
final class Patterns {
  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

  static final String DOMAIN = LABEL + "(?:\\." + LABEL + "){0,31}";
  static final String DOMAIN_WORDS = "a host name without scheme, port or dot in front";

  // a name, IPv4, or IPv6 with its two colons or more, in brackets or not, with a zone or not;
  // whether the machine has the address shows when the port is opened
  static final String HOST =
      "(?:" + DOMAIN + "|\\[?(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9]{1,15})?\\]?)";
  static final String HOST_WORDS = "a host name or an IP address, without a port";

  static final String NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62})";
  static final String NAME_WORDS =
      "1 to 63 letters, digits, dots, dashes or underscores, starting with a letter or digit";

  // '/' parts the credential scope of a signature, ',' and '=' the fields of its header
  static final String ACCESS_KEY = "[!-~&&[^/,=]]{1,128}";
  static final String ACCESS_KEY_WORDS =
      "1 to 128 visible ASCII characters without '/', ',' or '='";

  static final String BUCKET = "[A-Za-z0-9][A-Za-z0-9._-]{0,254}\\*?|\\*";
  static final String BUCKET_WORDS = "a bucket name, the start of one followed by '*', or '*'";

  private Patterns() {}
}
