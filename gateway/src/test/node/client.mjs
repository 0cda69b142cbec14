// @aws-sdk/client-s3 with its defaults, driven over the line protocol of ../resources/clients/protocol.py.
import { createReadStream, createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import {
  CopyObjectCommand, DeleteObjectCommand, DeleteObjectsCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand,
  S3Client, paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";

const Bucket = process.env.JUDGE_BUCKET;
const s3 = new S3Client({
  endpoint: process.env.JUDGE_ENDPOINT,
  region: process.env.AWS_DEFAULT_REGION,
  forcePathStyle: true,
});

const operations = {
  async put(Key, file) {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: await readFile(file) }));
  },
  async get(Key, file) {
    await pipeline((await s3.send(new GetObjectCommand({ Bucket, Key }))).Body, createWriteStream(file));
  },
  async head(Key) {
    return [(await s3.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength];
  },
  async list(Prefix, Delimiter) {
    const keys = [];
    const prefixes = [];
    const request = { Bucket, Prefix, ...(Delimiter && { Delimiter }) };
    for await (const page of paginateListObjectsV2({ client: s3, pageSize: 2 }, request)) {
      keys.push(...(page.Contents ?? []).map((entry) => "k" + entry.Key));
      prefixes.push(...(page.CommonPrefixes ?? []).map((entry) => "p" + entry.Prefix));
    }
    return [...keys, ...prefixes];
  },
  async copy(from, Key) {
    // the SDK leaves the encoding of the source to its caller
    const CopySource = `${Bucket}/${encodeURIComponent(from)}`;
    await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
  },
  async delete(Key) {
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  },
  async delete_all(...keys) {
    const Delete = { Objects: keys.map((Key) => ({ Key })) };
    const answer = await s3.send(new DeleteObjectsCommand({ Bucket, Delete }));
    if (answer.Errors?.length) {
      throw new Error(JSON.stringify(answer.Errors));
    }
  },
  async put_in_parts(Key, file) {
    await new Upload({ client: s3, params: { Bucket, Key, Body: createReadStream(file) } }).done();
  },
  async get_range(Key, first, last, file) {
    const answer = await s3.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${first}-${last}` }));
    await pipeline(answer.Body, createWriteStream(file));
  },
};

process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...fields] = line.split("\t");
  try {
    const results = (await operations[name](...fields)) ?? [];
    process.stdout.write(["ok", ...results].join("\t") + "\n");
  } catch (failure) {
    const status = failure.$metadata?.httpStatusCode;
    const message = `${failure.name} ${status}: ${failure.message}`.replaceAll(/[\t\n]/g, " ");
    console.error("!", line.slice(0, 300), message);
    process.stdout.write(`error\t${message}\n`);
  }
}
