// Objects of a bucket as Arrow batches in Node, with npm's apache-arrow:
//
//   npm install apache-arrow
//   export AWS_ENDPOINT_URL=http://127.0.0.1:9000
//   export AWS_ACCESS_KEY_ID=demo AWS_SECRET_ACCESS_KEY=demo-secret
//   node examples/node-batch.mjs pictures train/
import { createHash, createHmac } from 'node:crypto';
import { RecordBatchReader } from 'apache-arrow';

const { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION = 'us-east-1' } = process.env;
const [bucket, prefix] = process.argv.slice(2);

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const hmac = (key, data) => createHmac('sha256', key).update(data).digest();

/** The fields of a POST by Signature Version 4. */
function signed(url, body) {
  const moment = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${moment.slice(0, 8)}/${AWS_REGION}/s3/aws4_request`;
  const fields = { host: url.host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': moment };
  const names = Object.keys(fields).join(';');
  const lines = Object.entries(fields).map(([name, value]) => `${name}:${value}\n`).join('');
  const request = `POST\n${url.pathname}\n\n${lines}\n${names}\n${sha256(body)}`;
  const key = scope.split('/').reduce(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`);
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${sha256(request)}`).toString('hex');
  const { host, ...sent } = fields;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}

/** Passes bytes through, and fails where a stream stops without Arrow's end mark: the reader would not notice. */
async function* complete(chunks) {
  let end = Buffer.alloc(0);
  for await (const chunk of chunks) {
    end = Buffer.concat([end, chunk]).subarray(-8);
    yield chunk;
  }
  if (end.toString('hex') !== 'ffffffff00000000') {
    throw new Error('the stream is not complete: ask again');
  }
}

const url = new URL('/-/batch', AWS_ENDPOINT_URL);
const body = JSON.stringify({ version: 1, bucket, prefix, 'batch-size': 64 });
const response = await fetch(url, { method: 'POST', headers: signed(url, body), body });
if (!response.ok) {
  throw new Error(await response.text());
}

let objects = 0;
let bytes = 0;
for await (const batch of await RecordBatchReader.from(complete(response.body))) {
  for (const row of batch) {
    if (row.status !== 200) {
      console.error(`${row.key}: ${row.error_message}`);
    } else {
      objects += 1;
      bytes += row.payload.length;
    }
  }
}
console.log(`${objects} objects, ${bytes} bytes`);
