// Reads an Arrow stream and writes what is in it as JSON: `node judge.mjs READER FILE`.
// READER is "arrow" (npm apache-arrow) or "polars" (npm nodejs-polars). Bytes are given as Latin-1
// text, 64-bit integers as text; a stream that cannot be read ends the process with 3.
import { readFileSync } from 'node:fs';

const [reader, file] = process.argv.slice(2);

function plain(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value === 'object') return Array.from(value, plain);
  return value;
}

async function withArrow() {
  const { RecordBatchReader } = await import('apache-arrow');
  const stream = RecordBatchReader.from(readFileSync(file));
  const batches = [];
  let schema = null;
  for (const batch of stream) {
    schema ??= stream.schema;
    const columns = {};
    for (const field of batch.schema.fields) {
      const vector = batch.getChild(field.name);
      columns[field.name] = Array.from(
        { length: batch.numRows }, (_, row) => plain(vector.get(row)));
    }
    batches.push({ rows: batch.numRows, columns });
  }
  schema ??= stream.schema;
  const fields = Object.fromEntries(
    schema.fields.map((field) => [field.name, Object.fromEntries(field.metadata)]));
  return { metadata: Object.fromEntries(schema.metadata), fields, batches };
}

async function withPolars() {
  const { default: pl } = await import('nodejs-polars');
  let table = pl.readIPCStream(readFileSync(file));
  // it gives no bytes to its caller, but text
  table = table.withColumn(pl.col('payload').cast(pl.Utf8));
  const columns = {};
  for (const name of table.columns) {
    const values = table.getColumn(name).toArray();
    columns[name] = Array.from(values, plain);
  }
  return { batches: [{ rows: table.height, columns }] };
}

try {
  const result = reader === 'polars' ? await withPolars() : await withArrow();
  process.stdout.write(JSON.stringify(result));
} catch (e) {
  process.stderr.write(String(e));
  process.exit(3);
}
