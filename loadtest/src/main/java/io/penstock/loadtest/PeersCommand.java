package io.penstock.loadtest;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "peers", mixinStandardHelpOptions = true, description = "Compare.")
final class PeersCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
