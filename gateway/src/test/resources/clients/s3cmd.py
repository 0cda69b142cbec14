"""s3cmd with its defaults (it has no way to turn its retries off)."""

import os
import re
import shutil
from urllib.parse import urlsplit

import S3.S3  # so that every run of s3cmd finds its modules loaded

from protocol import ACCESS_KEY, BUCKET, CA, ENDPOINT, REGION, SECRET_KEY, WORK, Failure, listing, run_python, serve

ENDPOINT_PARTS = urlsplit(ENDPOINT)
PROGRAM = shutil.which("s3cmd")


def uri(key):
    return f"s3://{BUCKET}/{key}"


class S3cmd:
    def __init__(self):
        self.config = os.path.join(WORK, "s3cfg")
        with open(self.config, "w", encoding="utf-8") as into:
            into.write(f"""[default]
access_key = {ACCESS_KEY}
secret_key = {SECRET_KEY}
bucket_location = {REGION}
host_base = {ENDPOINT_PARTS.netloc}
host_bucket = {ENDPOINT_PARTS.netloc}
use_https = {ENDPOINT_PARTS.scheme == "https"}
ca_certs_file = {CA or ""}
progress_meter = False
""")

    def s3cmd(self, command, *args):
        return run_python(PROGRAM, "--config", self.config, command, *args)

    def put(self, key, file):
        self.s3cmd("put", file, uri(key))

    def get(self, key, file):
        self.s3cmd("get", uri(key), file)

    def head(self, key):
        said = self.s3cmd("info", uri(key)).decode()
        size = re.search(r"File size:\s+(\d+)", said)
        if not size:
            raise Failure(said)
        return [size.group(1)]

    def list(self, prefix, delimiter):
        keys, prefixes = [], []
        # two columns of date and size (or DIR) before the URI
        entry = re.compile(r"^\s*(?:\S+ \S+\s+\d+|(DIR))\s+s3://" + re.escape(BUCKET) + r"/(.*)$")
        for line in self.s3cmd("ls", *([] if delimiter else ["--recursive"]), uri(prefix)).decode().splitlines():
            match = entry.match(line)
            if not match:
                raise Failure(line)
            (prefixes if match.group(1) else keys).append(match.group(2))
        return listing(keys, prefixes)

    def copy(self, source, target):
        self.s3cmd("cp", uri(source), uri(target))

    def delete(self, key):
        self.s3cmd("del", uri(key))

    def delete_all(self, *keys):
        # only a recursive delete is one multi-delete request
        self.s3cmd("del", "--recursive", "--force", uri(os.path.commonprefix(keys)))

    def put_in_parts(self, key, file):
        self.s3cmd("put", file, uri(key))

    def get_range(self, key, first, last, file):
        # s3cmd's only ranged read: go on from the length of a file that is already there
        with open(file, "wb") as partial:
            partial.truncate(int(first))
        self.s3cmd("get", "--continue", uri(key), file)
        with open(file, "rb") as whole:
            whole.seek(int(first))
            wanted = whole.read(int(last) - int(first) + 1)
        with open(file, "wb") as into:
            into.write(wanted)


if __name__ == "__main__":
    serve(S3cmd())
