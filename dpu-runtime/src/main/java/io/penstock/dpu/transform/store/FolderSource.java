package io.penstock.dpu.transform.store;

import io.penstock.dpu.transform.model.ModelSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Models in a folder of this machine. A file is read once from end to end and never mapped: what
 * was hashed is what is used, whoever writes to the file meanwhile.
 *
 * <p>Threading: any thread; blocks.
 *
 * @param folder that names are looked up in; a name cannot leave it
 */
public record FolderSource(Path folder) implements ModelSource {
  private static final int CHUNK = 8 << 20;

  @Override
  public long size(String file) throws IOException {
    Path path = path(file);
    if (!Files.isRegularFile(path)) {
      throw new NoSuchFileException(path.toString());
    }
    return Files.size(path);
  }

  @Override
  public MemorySegment read(String file, long bytes, Arena arena) throws IOException {
    MemorySegment memory = arena.allocate(bytes, 64);
    try (FileChannel channel = FileChannel.open(path(file), StandardOpenOption.READ)) {
      long offset = 0;
      while (offset < bytes) {
        ByteBuffer chunk = memory.asSlice(offset, Math.min(CHUNK, bytes - offset)).asByteBuffer();
        int read = channel.read(chunk);
        if (read < 0) {
          throw new IOException(file + " ended after " + offset + " of " + bytes + " bytes");
        }
        offset += read;
      }
      if (channel.size() != bytes) {
        throw new IOException(file + " grew while it was read");
      }
    }
    return memory;
  }

  private Path path(String file) throws IOException {
    Path path = folder.resolve(file).normalize();
    if (!path.startsWith(folder.normalize()) || path.equals(folder.normalize())) {
      throw new IOException(file + " is not in " + folder);
    }
    return path;
  }
}
