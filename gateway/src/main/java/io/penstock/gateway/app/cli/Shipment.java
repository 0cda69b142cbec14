package io.penstock.gateway.app.cli;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects to send through the gateway and to expect back, byte for byte.
 *
 * @param title what they are, for the table
 */
record Shipment(String title, List<Parcel> parcels) {

  /** One object. */
  record Parcel(String key, byte[] body) {}

  Shipment {
    parcels = List.copyOf(parcels);
  }

  /** Every photograph again and again under keys of its own, until there are this many objects. */
  static Shipment photographs(List<Photograph> photographs, int objects) {
    return copies("photographs", photographs, objects);
  }

  /** The first of these, sent before anything is measured. */
  static Shipment warmUp(List<Photograph> photographs, int objects) {
    return copies("a few to warm up", photographs, objects);
  }

  private static Shipment copies(String title, List<Photograph> photographs, int objects) {
    var parcels = new ArrayList<Parcel>();
    for (int i = 0; i < objects; i++) {
      Photograph photograph = photographs.get(i % photographs.size());
      int copy = i / photographs.size();
      parcels.add(
          new Parcel("photographs/%04d/%s".formatted(copy, photograph.name()), photograph.bytes()));
    }
    return new Shipment(title, parcels);
  }

  /** A few large objects, each all photographs one after the other until it has this many bytes. */
  static Shipment shards(List<Photograph> photographs, int objects, int bytesEach) {
    var joined = new ByteArrayOutputStream(bytesEach);
    for (int i = 0; joined.size() < bytesEach; i = (i + 1) % photographs.size()) {
      byte[] bytes = photographs.get(i).bytes();
      joined.write(bytes, 0, Math.min(bytes.length, bytesEach - joined.size()));
    }
    byte[] body = joined.toByteArray();
    var parcels = new ArrayList<Parcel>();
    for (int i = 0; i < objects; i++) {
      parcels.add(new Parcel("shards/%04d.bin".formatted(i), body));
    }
    return new Shipment("large objects", parcels);
  }

  int objects() {
    return parcels.size();
  }

  long bytes() {
    return parcels.stream().mapToLong(parcel -> parcel.body().length).sum();
  }
}
