package io.penstock.arrow.decode;

/** Tables: which columns, and how they are written in the object. */
public sealed interface TableSpec extends DecodeSpec permits CsvSpec, JsonLinesSpec, ParquetSpec {}
