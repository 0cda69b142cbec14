import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats every Java file of the repository, or with {@code check} names the ones that differ and exits 1. A program of
 * its own because the formatter parses with the compiler of the JVM it runs in, and Maven may run on an older one.
 */
class Format {
  public static void main(String[] args) throws Exception {
    boolean check = args.length > 0 && args[0].equals("check");
    var formatter = new Formatter(JavaFormatterOptions.defaultOptions());
    List<Path> files;
    try (var walk = Files.walk(Path.of(""))) {
      files = walk.filter(p -> p.toString().endsWith(".java") && p.toString().contains("src/") && !p.toString().contains("target/")).sorted().toList();
    }
    List<Path> different = new ArrayList<>();
    for (Path file : files) {
      String before = Files.readString(file);
      String after = formatter.formatSource(
          RemoveUnusedImports.removeUnusedImports(
              ImportOrderer.reorderImports(before, JavaFormatterOptions.Style.GOOGLE)));
      if (!after.equals(before)) {
        different.add(file);
        if (!check) {
          Files.writeString(file, after);
        }
      }
    }
    if (check && !different.isEmpty()) {
      different.forEach(file -> System.err.println("not formatted: " + file));
      System.err.println("run: mvn -N validate -Dformat.mode=write");
      System.exit(1);
    }
  }
}
