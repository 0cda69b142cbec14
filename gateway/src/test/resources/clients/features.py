"""Reads features from an access point with an unchanged boto3; one fact a line, for AccessPointIT."""
import hashlib
import io
import os
import sys

import boto3
import numpy
from botocore.config import Config
from botocore.exceptions import ClientError

bucket, key, broken = sys.argv[1:]
s3 = boto3.client(
    "s3",
    endpoint_url=os.environ["JUDGE_ENDPOINT"],
    config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}),
)


def say(name, *values):
    print("\t".join([name, *map(str, values)]))


def refused(call, **arguments):
    try:
        call(Bucket=bucket, **arguments)
    except ClientError as error:
        answer = error.response
        code = answer["Error"]["Code"]
        return answer["ResponseMetadata"]["HTTPStatusCode"], code, answer["ResponseMetadata"].get("RequestId", "")
    return 200, "", ""


head = s3.head_object(Bucket=bucket, Key=key)
got = s3.get_object(Bucket=bucket, Key=key)
body = got["Body"].read()
array = numpy.load(io.BytesIO(body))
say("array", array.dtype, *array.shape)
say("sha256", hashlib.sha256(array.tobytes()).hexdigest())
say("head", head["ETag"] == got["ETag"], head["ContentLength"] == got["ContentLength"] == len(body))
say("checksums", *[name for name in got if name.startswith("Checksum") and name != "ChecksumType"])
part = s3.get_object(Bucket=bucket, Key=key, Range="bytes=100-299")
say("range", part["Body"].read() == body[100:300], part["ContentRange"], part["ETag"] == got["ETag"])
tail = s3.get_object(Bucket=bucket, Key=key, Range="bytes=-50", IfMatch=got["ETag"])
say("suffix", tail["Body"].read() == body[-50:])
say("beyond", *refused(s3.get_object, Key=key, Range="bytes=999999999-")[:2])
say("same", *refused(s3.get_object, Key=key, IfNoneMatch=got["ETag"])[:1])
say("same-head", *refused(s3.head_object, Key=key, IfNoneMatch=got["ETag"])[:1])
say("other", *refused(s3.get_object, Key=key, IfNoneMatch='"other"')[:1])
say("gone", *refused(s3.get_object, Key=key, IfMatch='"other"')[:2])
for item in s3.list_objects_v2(Bucket=bucket)["Contents"]:
    if item["Key"] == key:
        say("listed", item["Size"] == len(body), item["ETag"] == got["ETag"])
say("put", *refused(s3.put_object, Key="new", Body=b"x")[:2])
say("delete", *refused(s3.delete_object, Key=key)[:2])
status, code, request = refused(s3.get_object, Key=broken)
say("broken", status, code, bool(request))
status, code, request = refused(s3.get_object, Key="missing")
say("missing", status, code, bool(request))
