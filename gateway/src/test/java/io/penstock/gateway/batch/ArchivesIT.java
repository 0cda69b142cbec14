package io.penstock.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gateway.testing.FaultyStore;
import io.penstock.gateway.testing.LeakWatch;
import io.penstock.gateway.testing.ObjectOrigin;
import io.penstock.gateway.testing.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Members of archives that the system's own tar has written. */
@ExtendWith(LeakWatch.class)
@Timeout(120)
class ArchivesIT {
  @TempDir Path folder;

  private final ObjectOrigin origin = new ObjectOrigin();
  private FaultyStore store;
  private Stack stack;
  private BatchClient client;

  @BeforeEach
  void start() throws Exception {
    store = FaultyStore.start(origin);
    stack = Stack.start(store.uri(), "ak", "sk", "cache: {memory: 0}\n");
    client = new BatchClient(stack.s3());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    stack.close();
    store.close();
  }

  private static Map<String, byte[]> files(int count, int seed) {
    Random random = new Random(seed);
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[random.nextInt(40_000)];
      random.nextBytes(bytes);
      files.put("train/%05d.jpg".formatted(i), bytes);
    }
    return files;
  }

  private byte[] tar(Map<String, byte[]> files) throws Exception {
    Path root = Files.createTempDirectory(folder, "tree");
    for (var file : files.entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    Path archive = Files.createTempFile(folder, "archive", ".tar");
    List<String> command = new ArrayList<>(List.of("tar", "-cf", archive.toString()));
    command.addAll(List.of("-C", root.toString()));
    command.addAll(files.keySet());
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    return Files.readAllBytes(archive);
  }

  private static String request(List<String> members, String more) {
    String items =
        members.stream()
            .map(member -> "{\"key\": \"shard.tar\", \"member\": \"" + member + "\"}")
            .collect(Collectors.joining(","));
    return "{\"version\": 1, \"bucket\": \"bkt\", \"items\": [" + items + "]" + more + "}";
  }

  private long walks() {
    return store.requests().stream()
        .filter(head -> !head.toLowerCase().contains("\nrange:"))
        .count();
  }

  @Test
  void membersComeOutAsTarPutThemIn() throws Exception {
    Map<String, byte[]> files = files(60, 1);
    files.put("empty", new byte[0]);
    files.put("a/" + "long/".repeat(40) + "name", "far".getBytes());
    byte[] archive = tar(files);
    origin.put("/bkt/shard.tar", archive);
    List<String> members = new ArrayList<>(files.keySet());
    Collections.shuffle(members, new Random(3));
    var stream = client.batch("/-/batch", request(members, ", \"batch-size\": 7"));
    assertThat(stream.error()).isEmpty();
    assertThat(stream.rows()).hasSize(members.size());
    for (int i = 0; i < members.size(); i++) {
      var row = stream.rows().get(i);
      assertThat(row.head().member()).hasValue(members.get(i));
      assertThat(row.head().etag()).hasValue(origin.etag("/bkt/shard.tar"));
      assertThat(row.head().size()).hasValue(files.get(members.get(i)).length);
      assertThat(row.payload().orElseThrow()).isEqualTo(files.get(members.get(i)));
    }
    assertThat(walks()).as("the archive is walked once").isEqualTo(1);
    client.batch("/-/batch", request(members.subList(0, 5), ""));
    assertThat(walks()).as("and its index is kept").isEqualTo(1);
  }

  @Test
  void longMembersArePassedOver() throws Exception {
    byte[] large = new byte[(int) ArchiveWalk.PASSED_OVER * 3];
    new Random(5).nextBytes(large);
    byte[] last = "the end".getBytes();
    Map<String, byte[]> files = new TreeMap<>(Map.of("a.bin", large, "b.bin", large, "c", last));
    origin.put("/bkt/shard.tar", tar(files));
    var stream = client.batch("/-/batch", request(List.of("c", "a.bin"), ""));
    assertThat(stream.rows().get(0).payload().orElseThrow()).isEqualTo(last);
    assertThat(stream.rows().get(1).payload().orElseThrow()).isEqualTo(large);
    assertThat(
            store.requests().stream().filter(head -> head.matches("(?is).*range: bytes=\\d+-\r.*")))
        .as("reads behind a content")
        .hasSize(2)
        .allSatisfy(head -> assertThat(head).containsIgnoringCase("if-match"));
  }

  @Test
  void anArchiveThatWasReplacedIsWalkedAgain() throws Exception {
    Map<String, byte[]> old = files(10, 1);
    Map<String, byte[]> young = files(10, 2);
    List<String> members = List.copyOf(old.keySet());
    origin.put("/bkt/shard.tar", tar(old));
    assertThat(client.batch("/-/batch", request(members, "")).rows().get(4).payload().orElseThrow())
        .isEqualTo(old.get(members.get(4)));
    origin.put("/bkt/shard.tar", tar(young));
    var stream = client.batch("/-/batch", request(members, ""));
    for (int i = 0; i < members.size(); i++) {
      assertThat(stream.rows().get(i).payload().orElseThrow()).isEqualTo(young.get(members.get(i)));
    }
    assertThat(walks()).isEqualTo(2);
  }

  @Test
  void whatIsNotThereIsARow() throws Exception {
    Map<String, byte[]> files = files(10, 1);
    byte[] archive = tar(files);
    String member = files.keySet().iterator().next();
    origin.put("/bkt/shard.tar", archive);
    var rows = client.batch("/-/batch", request(List.of("no/such", member), "")).rows();
    assertThat(rows.get(0).code()).isEqualTo("NoSuchMember");
    assertThat(rows.get(0).status().http()).isEqualTo(404);
    assertThat(rows.get(0).payload()).isEmpty();
    assertThat(rows.get(1).payload().orElseThrow()).isEqualTo(files.get(member));

    origin.put("/bkt/shard.tar", Arrays.copyOf(archive, archive.length / 2 / 512 * 512));
    assertThat(client.batch("/-/batch", request(List.of("train/00009.jpg"), "")).rows())
        .singleElement()
        .satisfies(row -> assertThat(row.code()).isEqualTo("TruncatedObject"));
    origin.put(
        "/bkt/shard.tar", "no archive at all, whatever its name says".repeat(100).getBytes());
    client.batch("/-/batch", request(List.of("no/such"), ""));
    assertThat(client.batch("/-/batch", request(List.of("no/such", member), "")).rows())
        .allSatisfy(row -> assertThat(row.payload()).isEmpty());
    origin.remove("/bkt/shard.tar");
    assertThat(client.batch("/-/batch", request(List.of(member), "")).rows().getFirst().code())
        .isEqualTo("NoSuchKey");
  }

  @Test
  void aTruncatedArchiveIsNamedSo() throws Exception {
    byte[] archive = tar(files(10, 1));
    origin.put("/bkt/shard.tar", Arrays.copyOf(archive, archive.length / 2 / 512 * 512));
    var row = client.batch("/-/batch", request(List.of("train/00001.jpg"), "")).rows().getFirst();
    assertThat(row.status().http()).isEqualTo(422);
    assertThat(row.code()).isEqualTo("TruncatedObject");
  }

  @Test
  void aRefusedTenantLearnsNothingOfMembers() throws Exception {
    origin.put("/bkt/shard.tar", tar(files(3, 1)));
    String tenant =
        """
        cache: {memory: 0}
        tenants:
          - name: demo
            access-key: %s
            secret-key: %s
            policy: {rules: [{bucket: bkt, prefix: other, access: [read]}]}
        """
            .formatted(Stack.ACCESS_KEY, Stack.SECRET_KEY);
    try (Stack walled = Stack.start(store.uri(), "ak", "sk", tenant);
        BatchClient stranger = new BatchClient(walled.s3())) {
      var row =
          stranger.batch("/-/batch", request(List.of("train/00001.jpg"), "")).rows().getFirst();
      assertThat(row.code()).isEqualTo("AccessDenied");
      assertThat(store.requests()).isEmpty();
    }
  }
}
