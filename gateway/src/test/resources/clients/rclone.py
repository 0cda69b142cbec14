"""rclone with its defaults, but one try instead of ten, and parts for files from 16 MiB instead of 200 MiB."""

import json
import os

from protocol import ACCESS_KEY, BUCKET, CA, ENDPOINT, REGION, SECRET_KEY, WORK, listing, run, serve

ENVIRONMENT = {
    **os.environ,
    "RCLONE_CONFIG": os.path.join(WORK, "rclone.conf"),
    "RCLONE_CONFIG_S_TYPE": "s3",
    "RCLONE_CONFIG_S_PROVIDER": "Other",
    "RCLONE_CONFIG_S_ENDPOINT": ENDPOINT,
    "RCLONE_CONFIG_S_REGION": REGION,
    "RCLONE_CONFIG_S_ACCESS_KEY_ID": ACCESS_KEY,
    "RCLONE_CONFIG_S_SECRET_ACCESS_KEY": SECRET_KEY,
    "RCLONE_S3_NO_CHECK_BUCKET": "true",
    "RCLONE_RETRIES": "1",
    "RCLONE_LOW_LEVEL_RETRIES": "1",
}
if CA:
    ENVIRONMENT["RCLONE_CA_CERT"] = CA


def rclone(*args):
    return run("rclone", *args, env=ENVIRONMENT)


def remote(key):
    return f"S:{BUCKET}/{key}"


class Rclone:
    def __init__(self):
        with open(ENVIRONMENT["RCLONE_CONFIG"], "w", encoding="utf-8"):
            pass

    def put(self, key, file):
        rclone("copyto", "--ignore-times", file, remote(key))

    def get(self, key, file):
        rclone("copyto", "--ignore-times", remote(key), file)

    def head(self, key):
        return [json.loads(rclone("lsjson", "--stat", remote(key)))["Size"]]

    def list(self, prefix, delimiter):
        args = ["--s3-list-chunk", "2"] + ([] if delimiter else ["--recursive", "--files-only"])
        entries = json.loads(rclone("lsjson", *args, remote(prefix)))
        names = [(prefix + entry["Path"], entry["IsDir"]) for entry in entries]
        return listing(sorted(name for name, folder in names if not folder),
                       sorted(name + "/" for name, folder in names if folder))

    def copy(self, source, target):
        rclone("copyto", "--ignore-times", remote(source), remote(target))

    def delete(self, key):
        rclone("deletefile", remote(key))

    def delete_all(self, *keys):
        names = os.path.join(WORK, "delete.txt")
        with open(names, "w", encoding="utf-8") as into:
            into.write("".join(key + "\n" for key in keys))
        rclone("delete", "--files-from-raw", names, remote(""))

    def put_in_parts(self, key, file):
        rclone("copyto", "--s3-upload-cutoff", "16M", file, remote(key))

    def get_range(self, key, first, last, file):
        wanted = rclone("cat", "--offset", first, "--count", str(int(last) - int(first) + 1), remote(key))
        with open(file, "wb") as into:
            into.write(wanted)


if __name__ == "__main__":
    serve(Rclone())
