"""The line protocol between a judge's Java side and a script that drives one S3 client.

One request a line, one answer a line, UTF-8, fields separated by tabs (no key under test holds a tab or a newline):

    put KEY FILE                      -> ok
    get KEY FILE                      -> ok
    head KEY                          -> ok SIZE
    list PREFIX DELIMITER             -> ok kKEY... pPREFIX...
    copy FROM TO                      -> ok
    delete KEY                        -> ok
    delete_all KEY...                 -> ok
    put_in_parts KEY FILE             -> ok
    get_range KEY FIRST LAST FILE     -> ok

or "error MESSAGE". The script says "ready" first and ends when its input does. Standard library only.
"""

import os
import runpy
import subprocess
import sys
import tempfile
import traceback

ENDPOINT = os.environ["JUDGE_ENDPOINT"]
BUCKET = os.environ["JUDGE_BUCKET"]
WORK = os.environ["JUDGE_WORK"]
CA = os.environ.get("JUDGE_CA")
ACCESS_KEY = os.environ["AWS_ACCESS_KEY_ID"]
SECRET_KEY = os.environ["AWS_SECRET_ACCESS_KEY"]
REGION = os.environ["AWS_DEFAULT_REGION"]


class Failure(Exception):
    """The client said no."""


def run(*command, env=None, stdin=None):
    """Runs a program to its end; its output as bytes. Failure with everything it said when it exits non-zero."""
    done = subprocess.run(command, input=stdin or b"", capture_output=True, env=env, check=False)
    if done.returncode != 0:
        said = (done.stderr + done.stdout).decode("utf-8", "replace")
        raise Failure(f"exit {done.returncode}: {said[-2000:]}")
    sys.stderr.buffer.write(done.stderr)
    return done.stdout


def run_python(program, *args):
    """What run does, for a program written in Python, in a fork of this process: the modules it needs and this process
    has imported already need not be loaded again."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv = [program, *args]
                runpy.run_path(program, run_name="__main__")
                code = 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        said, complained = out.read(), err.read()
    if code != 0:
        raise Failure(f"exit {code}: {(complained + said).decode('utf-8', 'replace')[-2000:]}")
    return said


def listing(keys, prefixes):
    """The answer to list."""
    return ["k" + key for key in keys] + ["p" + prefix for prefix in prefixes]


def serve(client):
    """Answers requests by calling the method of the request's name until the input ends."""
    answers = os.fdopen(os.dup(1), "wb", 0)
    # whatever a library prints must not be taken for an answer
    os.dup2(2, 1)
    answers.write(b"ready\n")
    for line in sys.stdin.buffer:
        name, *fields = line.decode().rstrip("\n").split("\t")
        print(">", line.decode().rstrip("\n")[:300], file=sys.stderr, flush=True)
        try:
            results = getattr(client, name)(*fields) or []
            answer = ["ok", *map(str, results)]
        except Exception as failure:  # every failure of the client is an answer
            answer = ["error", f"{type(failure).__name__}: {failure}".replace("\t", " ").replace("\n", " | ")]
            print("!", answer[1], file=sys.stderr, flush=True)
        answers.write("\t".join(answer).encode() + b"\n")
