package io.penstock.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * What tells one content of a file from another without reading it. The real path is part of it
 * because Kubernetes changes a mounted file by pointing a symbolic link above it to a new
 * directory.
 */
record FileStamp(Path real, FileTime modified, long size) {

  /** The stamp of a file as it is now; empty when it cannot be found. */
  static Optional<FileStamp> of(Path file) {
    try {
      Path real = file.toRealPath();
      var attributes = Files.readAttributes(real, BasicFileAttributes.class);
      return Optional.of(new FileStamp(real, attributes.lastModifiedTime(), attributes.size()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
