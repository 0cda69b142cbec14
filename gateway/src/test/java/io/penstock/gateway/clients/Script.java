package io.penstock.gateway.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of the scripts that drive clients, with the interpreter each client needs. */
final class Script {
  private static final String DEBIAN_PYTHON = "/usr/bin/python3";

  private Script() {}

  /** A script that needs nothing but Python's standard library. */
  static List<String> python(String script, String... arguments) {
    List<String> command =
        new ArrayList<>(command(Tools.program("python3", "python3").toString(), script));
    command.addAll(List.of(arguments));
    return command;
  }

  /** A script that needs a module of the distribution. */
  static List<String> debian(String script, String module, String aptPackage) {
    return command(debianPython(module, aptPackage), script);
  }

  /** The distribution's Python, with a module of the distribution. */
  static String debianPython(String module, String aptPackage) {
    Tools.require(
        succeeds(DEBIAN_PYTHON, module),
        module + " is not installed: apt-get install " + aptPackage);
    return DEBIAN_PYTHON;
  }

  /**
   * A script on the first Python of the PATH, if that is another one than the distribution's and
   * has the module.
   */
  static List<String> newer(String script, String module) {
    String python = Tools.program("python3", "python3").toString();
    boolean other = !python.equals(DEBIAN_PYTHON) && !python.equals("/bin/python3");
    Tools.optional(
        other && succeeds(python, module), "no second Python with " + module + " on the PATH");
    return command(python, script);
  }

  /** A script of src/test/node, with the modules that {@code npm ci} puts into target/node. */
  static List<String> node(String script) {
    Path node = Tools.program("node", "nodejs npm");
    return List.of(node.toString(), NodeModules.folder().resolve(script).toString());
  }

  private static List<String> command(String python, String script) {
    return List.of(python, Tools.resource("clients/" + script + ".py").toString());
  }

  private static boolean succeeds(String python, String module) {
    try {
      return new ProcessBuilder(python, "-c", "import " + module).start().waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
