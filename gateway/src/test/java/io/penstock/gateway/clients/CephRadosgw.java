package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A radosgw of Ceph 16.2 with one monitor and one OSD in memory, on free ports. Old enough to
 * refuse aws-chunked uploads with trailers, which is why it is here.
 *
 * <p>Threading: any thread.
 */
final class CephRadosgw implements StoreUnderTest {
  private final Daemon daemon;
  private final Endpoint endpoint;

  private CephRadosgw(Daemon daemon, Endpoint endpoint) {
    this.daemon = daemon;
    this.endpoint = endpoint;
  }

  static CephRadosgw start() {
    String packages = "--no-install-recommends ceph-mon ceph-osd radosgw ceph-common";
    List.of("ceph-mon", "ceph-osd", "radosgw", "ceph")
        .forEach(name -> Tools.program(name, packages));
    Tools.require("root".equals(System.getProperty("user.name")), "the Ceph daemons need root");
    int port = Tools.freePort();
    Daemon daemon =
        Daemon.start(
            List.of(
                "bash",
                Tools.resource("stores/ceph-rgw-start.sh").toString(),
                shortFolder().toString(),
                Integer.toString(port),
                Integer.toString(Tools.freePort())),
            Tools.workFolder("stores").resolve("ceph.log"));
    daemon.readLine();
    URI uri = URI.create("http://127.0.0.1:" + port);
    return new CephRadosgw(daemon, Endpoint.plain(uri, "AKTEST", "SKTEST"));
  }

  // Ceph's unix sockets live below it and a socket's path has at most 107 bytes
  private static Path shortFolder() {
    try {
      return Files.createTempDirectory(Path.of("/tmp"), "ceph");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    daemon.close();
  }
}
