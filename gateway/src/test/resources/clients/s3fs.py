"""The bucket as a file system, by s3fs with its defaults; every operation is a system call on the mount."""

import os
import shutil
import subprocess
import sys
import time

from protocol import ACCESS_KEY, BUCKET, CA, ENDPOINT, SECRET_KEY, WORK, Failure, listing, serve

MOUNT = os.path.join(WORK, "mount")


def path(key):
    return MOUNT + "/" + key


def make_folders(key):
    if "/" in key:
        os.makedirs(os.path.dirname(path(key)), exist_ok=True)


class S3fs:
    def __init__(self):
        os.makedirs(MOUNT, exist_ok=True)
        passwords = os.path.join(WORK, "passwd-s3fs")
        with open(passwords, "w", encoding="utf-8") as into:
            os.chmod(passwords, 0o600)
            into.write(f"{ACCESS_KEY}:{SECRET_KEY}\n")
        # s3fs turns to this bundle only after a first try has failed without it
        environment = {**os.environ, "CURL_CA_BUNDLE": CA} if CA else None
        self.process = subprocess.Popen(
            ["s3fs", BUCKET, MOUNT, "-f", "-o", f"url={ENDPOINT}", "-o", "use_path_request_style",
             "-o", f"passwd_file={passwords}", "-o", f"retries={2 if CA else 1}", "-o", f"tmpdir={WORK}"],
            stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment)
        for _ in range(100):
            if os.path.ismount(MOUNT):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.unmount()
        raise Failure("s3fs did not mount")

    def unmount(self):
        subprocess.run(["fusermount", "-u", MOUNT], check=False)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            subprocess.run(["fusermount", "-uz", MOUNT], check=False)

    def put(self, key, file):
        make_folders(key)
        shutil.copyfile(file, path(key))

    def get(self, key, file):
        shutil.copyfile(path(key), file)

    def head(self, key):
        return [os.stat(path(key)).st_size]

    def list(self, prefix, delimiter):
        keys, prefixes = [], []
        for folder, folders, files in os.walk(path(prefix)):
            keys += [os.path.join(folder, name)[len(MOUNT) + 1:] for name in files]
            if delimiter:
                prefixes = [os.path.join(folder, name)[len(MOUNT) + 1:] + "/" for name in folders]
                break
        return listing(sorted(keys), sorted(prefixes))

    def copy(self, source, target):
        # a rename is a copy in the store followed by a delete
        make_folders(target)
        shutil.copyfile(path(source), path("renamed"))
        os.rename(path("renamed"), path(target))

    def delete(self, key):
        os.remove(path(key))

    def delete_all(self, *keys):
        for key in keys:
            os.remove(path(key))

    def put_in_parts(self, key, file):
        self.put(key, file)

    def get_range(self, key, first, last, file):
        with open(path(key), "rb") as whole, open(file, "wb") as into:
            whole.seek(int(first))
            into.write(whole.read(int(last) - int(first) + 1))


if __name__ == "__main__":
    mounted = S3fs()
    try:
        serve(mounted)
    finally:
        mounted.unmount()
