"""The aws command. Large transfers run it as a program; the many small calls run the same entry point in this process,
because starting it takes half a second."""

import contextlib
import io
import json
import os
import sys

from awscli.clidriver import create_clidriver

from protocol import BUCKET, CA, ENDPOINT, WORK, Failure, listing, run, serve

os.environ["AWS_PAGER"] = ""
GLOBAL = ["--endpoint-url", ENDPOINT] + (["--ca-bundle", CA] if CA else [])


class AwsCli:
    def __init__(self):
        self.driver = create_clidriver()

    def aws(self, *args):
        """One command of the CLI, in this process."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = self.driver.main([*args, *GLOBAL])
        if code:
            raise Failure(f"exit {code}: {err.getvalue()}{out.getvalue()}")
        return out.getvalue()

    def program(self, *args):
        """One command of the CLI, as a program."""
        return run(sys.executable, "-m", "awscli", *args, *GLOBAL)

    def put(self, key, file):
        self.aws("s3api", "put-object", "--bucket", BUCKET, "--key=" + key, "--body", file)

    def get(self, key, file):
        self.aws("s3api", "get-object", "--bucket", BUCKET, "--key=" + key, file)

    def head(self, key):
        return [json.loads(self.aws("s3api", "head-object", "--bucket", BUCKET, "--key=" + key))["ContentLength"]]

    def list(self, prefix, delimiter):
        answer = self.aws("s3api", "list-objects-v2", "--bucket", BUCKET, "--prefix=" + prefix,
                          "--page-size", "2", "--output", "json", *(["--delimiter", delimiter] if delimiter else []))
        answer = json.loads(answer or "{}")
        return listing([entry["Key"] for entry in answer.get("Contents", [])],
                       [entry["Prefix"] for entry in answer.get("CommonPrefixes", [])])

    def copy(self, source, target):
        self.aws("s3api", "copy-object", "--bucket", BUCKET, "--key=" + target, f"--copy-source={BUCKET}/{source}")

    def delete(self, key):
        self.program("s3", "rm", f"s3://{BUCKET}/{key}")

    def delete_all(self, *keys):
        file = os.path.join(WORK, "delete.json")
        with open(file, "w", encoding="utf-8") as into:
            json.dump({"Objects": [{"Key": key} for key in keys]}, into)
        answer = self.aws("s3api", "delete-objects", "--bucket", BUCKET, "--delete", "file://" + file)
        if json.loads(answer or "{}").get("Errors"):
            raise Failure(answer)

    def put_in_parts(self, key, file):
        self.program("s3", "cp", "--no-progress", file, f"s3://{BUCKET}/{key}")

    def get_range(self, key, first, last, file):
        self.program("s3api", "get-object", "--bucket", BUCKET, "--key=" + key, "--range", f"bytes={first}-{last}", file)


if __name__ == "__main__":
    serve(AwsCli())
