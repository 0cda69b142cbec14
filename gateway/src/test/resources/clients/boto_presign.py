"""Presigned URLs of boto3. Signature version 4 is asked for: version 2 is boto3's default for presigning only."""

import boto3
from botocore.config import Config

from protocol import BUCKET, ENDPOINT, serve


class Presigner:
    def __init__(self):
        self.s3 = boto3.client("s3", endpoint_url=ENDPOINT, config=Config(signature_version="s3v4"))

    def presign(self, operation, key):
        return [self.s3.generate_presigned_url(operation, Params={"Bucket": BUCKET, "Key": key}, ExpiresIn=300)]


if __name__ == "__main__":
    serve(Presigner())
