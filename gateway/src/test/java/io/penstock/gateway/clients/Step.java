package io.penstock.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.clients.Client.Listing;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What every client has to do, and how it is told that it was done: by what is in the store, byte
 * for byte, and by what the client itself reads back.
 */
enum Step {
  /** Put, get, head, and the name in the store's own listing. */
  ROUND_TRIP {
    @Override
    void check(Bench bench, OddKey odd) {
      Path body = Bodies.small(odd.label());
      bench.client().put(odd.key, body);
      bench.assertStored(odd.key, body);
      assertThat(bench.reader().keys(bench.bucket(), odd.key)).contains(odd.key);
      assertThat(bench.got(odd.key)).hasSameBinaryContentAs(body);
      assertThat(bench.client().head(odd.key)).isEqualTo(body.toFile().length());
    }
  },

  /** A copy to the odd key, then one from it. */
  COPY {
    @Override
    void check(Bench bench, OddKey odd) {
      Path body = Bodies.small("copy-" + odd.label());
      bench.store("copies/source", body);
      bench.client().copy("copies/source", odd.key);
      bench.assertStored(odd.key, body);
      bench.client().copy(odd.key, "copies/of-" + odd.label());
      bench.assertStored("copies/of-" + odd.label(), body);
    }
  },

  /** With prefix and delimiter, with prefix only, and with a prefix that needs encoding. */
  LIST {
    @Override
    void check(Bench bench, OddKey odd) {
      List<String> names =
          List.of("list/a/1", "list/a/2", "list/b é+&/3", "list/x%2F", "list/z", "list/z +");
      names.forEach(key -> bench.store(key, Bodies.small("listed")));
      bench.store("unlisted", Bodies.small("listed"));
      Listing level = bench.client().list("list/", "/");
      assertThat(level.keys()).containsExactly("list/x%2F", "list/z", "list/z +");
      assertThat(level.prefixes()).containsExactly("list/a/", "list/b é+&/");
      assertThat(bench.client().list("list/", "").keys()).isEqualTo(names);
      assertThat(bench.client().list("list/b é+&/", "/").keys()).containsExactly("list/b é+&/3");
    }
  },

  DELETE {
    @Override
    void check(Bench bench, OddKey odd) {
      String key = below("deletes/", odd);
      bench.store(key, Bodies.small("deleted"));
      bench.client().delete(key);
      bench.assertNotStored(key);
    }
  },

  DELETE_MANY {
    @Override
    void check(Bench bench, OddKey odd) {
      deleteTogether(bench, List.of(odd));
    }
  },

  /** 64 MiB, which the store must have got in parts. */
  PARTS {
    @Override
    void check(Bench bench, OddKey odd) {
      Path body = Bodies.of("64-mebibytes", 64 * MIB);
      String key = "parts/" + odd.key;
      bench.client().putInParts(key, body);
      assertThat(bench.reader().head(bench.bucket(), key).eTag())
          .as("ETag of a multipart upload")
          .contains("-");
      bench.assertStored(key, body);
      assertThat(bench.got(key)).hasSameBinaryContentAs(body);
      bench.reader().delete(bench.bucket(), key);
    }
  },

  RANGE {
    @Override
    void check(Bench bench, OddKey odd) {
      Path body = Bodies.of("1-mebibyte", MIB);
      String key = "ranges/" + odd.key;
      bench.store(key, body);
      Path into = bench.scratch();
      bench.client().getRange(key, 300_001, 700_000, into);
      assertThat(into).hasBinaryContent(Arrays.copyOfRange(Bodies.bytes(body), 300_001, 700_001));
    }
  };

  private static final int MIB = 1 << 20;

  abstract void check(Bench bench, OddKey odd);

  /** One multi-delete of all the keys, next to an object that must stay. */
  static void deleteTogether(Bench bench, List<OddKey> odd) {
    List<String> keys = odd.stream().map(key -> below("many/", key)).toList();
    keys.forEach(key -> bench.store(key, Bodies.small("deleted")));
    bench.store("a survivor", Bodies.small("survivor"));
    bench.client().deleteAll(keys);
    keys.forEach(bench::assertNotStored);
    bench.assertStored("a survivor", Bodies.small("survivor"));
  }

  // at most 1,024 bytes
  private static String below(String prefix, OddKey odd) {
    return prefix + (odd == OddKey.LONGEST ? odd.key.substring(prefix.length()) : odd.key);
  }
}
