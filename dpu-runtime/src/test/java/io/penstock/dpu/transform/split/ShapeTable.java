package io.penstock.dpu.transform.split;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The networks of the simulations, from {@code shapes.tsv}, which {@code src/test/python/
 * shape_table.py} makes: bytes and multiply-adds are exact. What a layer costs is modelled: a
 * thread does {@link #MULTIPLY_ADDS} a second and moves {@link #BYTES} a second, rates at which
 * MobileNetV2 takes 1/290 s a picture, which ONNX Runtime 1.29 was measured to take on one thread
 * of an x86-64 server.
 */
final class ShapeTable {
  static final double MULTIPLY_ADDS = 100e9;
  static final double BYTES = 120e9;

  private ShapeTable() {}

  static Map<String, NetworkProfile> read() {
    Map<String, List<NetworkProfile.Layer>> layers = new LinkedHashMap<>();
    Map<String, Integer> frozen = new LinkedHashMap<>();
    for (String line : lines()) {
      if (line.startsWith("#")) {
        continue;
      }
      String[] f = line.split("\t", -1);
      double seconds = Long.parseLong(f[7]) / MULTIPLY_ADDS + Long.parseLong(f[5]) / BYTES;
      layers
          .computeIfAbsent(f[0], _ -> new ArrayList<>())
          .add(
              new NetworkProfile.Layer(
                  f[1], seconds, Long.parseLong(f[3]), Long.parseLong(f[4]), Long.parseLong(f[6])));
      frozen.merge(f[0], f[2].equals("yes") ? 1 : 0, Integer::sum);
    }
    Map<String, NetworkProfile> networks = new LinkedHashMap<>();
    layers.forEach(
        (name, list) ->
            networks.put(name, new NetworkProfile(list, Objects.requireNonNull(frozen.get(name)))));
    return networks;
  }

  private static List<String> lines() {
    try (var in = Objects.requireNonNull(ShapeTable.class.getResourceAsStream("shapes.tsv"));
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
