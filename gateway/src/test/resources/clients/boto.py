"""boto3 with its defaults."""

import boto3
from boto3.s3.transfer import TransferConfig

from protocol import BUCKET, CA, ENDPOINT, listing, serve


class Boto:
    def __init__(self):
        self.s3 = boto3.client("s3", endpoint_url=ENDPOINT, verify=CA)

    def put(self, key, file):
        with open(file, "rb") as body:
            self.s3.put_object(Bucket=BUCKET, Key=key, Body=body)

    def get(self, key, file):
        body = self.s3.get_object(Bucket=BUCKET, Key=key)["Body"]
        with open(file, "wb") as into:
            for chunk in body.iter_chunks(1 << 20):
                into.write(chunk)

    def head(self, key):
        return [self.s3.head_object(Bucket=BUCKET, Key=key)["ContentLength"]]

    def list(self, prefix, delimiter):
        keys, prefixes = [], []
        pages = self.s3.get_paginator("list_objects_v2").paginate(
            Bucket=BUCKET, Prefix=prefix, Delimiter=delimiter, PaginationConfig={"PageSize": 2})
        for page in pages:
            keys += [entry["Key"] for entry in page.get("Contents", [])]
            prefixes += [entry["Prefix"] for entry in page.get("CommonPrefixes", [])]
        return listing(keys, prefixes)

    def copy(self, source, target):
        self.s3.copy_object(Bucket=BUCKET, Key=target, CopySource={"Bucket": BUCKET, "Key": source})

    def delete(self, key):
        self.s3.delete_object(Bucket=BUCKET, Key=key)

    def delete_all(self, *keys):
        answer = self.s3.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": key} for key in keys]})
        if answer.get("Errors"):
            raise RuntimeError(answer["Errors"])

    def put_in_parts(self, key, file):
        self.s3.upload_file(file, BUCKET, key, Config=TransferConfig(multipart_chunksize=8 << 20))

    def get_range(self, key, first, last, file):
        body = self.s3.get_object(Bucket=BUCKET, Key=key, Range=f"bytes={first}-{last}")["Body"]
        with open(file, "wb") as into:
            into.write(body.read())


if __name__ == "__main__":
    serve(Boto())
