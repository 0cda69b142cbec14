"""curl --aws-sigv4: every request spelt out by hand."""

import base64
import hashlib
import os
import re
import sys
from urllib.parse import quote, unquote
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from protocol import ACCESS_KEY, BUCKET, CA, ENDPOINT, REGION, SECRET_KEY, WORK, Failure, listing, run, serve

PART = 16 << 20
EXTRA = sys.argv[1:]


def encoded(text, safe=""):
    return quote(text, safe=safe + "-._~")


def local(element):
    """The element's children by name, without the namespace, which some stores leave out."""
    return [(child.tag.rpartition("}")[2], child) for child in element]


def curl(*args, key=None, query="", body=b"", payload=None):
    """One signed request; payload stands in x-amz-content-sha256, by default the hash of body."""
    payload = payload or hashlib.sha256(body).hexdigest()
    url = f"{ENDPOINT}/{BUCKET}" + ("" if key is None else "/" + encoded(key, "/")) + query
    return run("curl", "--silent", "--show-error", "--fail-with-body", "--path-as-is", "--globoff",
               *(["--cacert", CA] if CA else []), *EXTRA, "--user", f"{ACCESS_KEY}:{SECRET_KEY}",
               "--aws-sigv4", f"aws:amz:{REGION}:s3", "--header", f"x-amz-content-sha256: {payload}", *args, url)


class Curl:
    def put(self, key, file):
        # --upload-file would append the file's name to a URL that ends in a slash
        body = (["--request", "PUT", "--header", "Content-Type: application/octet-stream", "--data-binary", "@" + file]
                if key.endswith("/") else ["--upload-file", file])
        curl(*body, key=key, payload="UNSIGNED-PAYLOAD")

    def get(self, key, file):
        curl("--output", file, key=key)

    def head(self, key):
        head = curl("--head", key=key).decode()
        return [re.search(r"(?im)^content-length: *(\d+)", head).group(1)]

    def list(self, prefix, delimiter):
        keys, prefixes, token = [], [], None
        while True:
            query = "?" + "&".join(sorted(filter(None, [
                token and "continuation-token=" + encoded(token),
                delimiter and "delimiter=" + encoded(delimiter),
                "encoding-type=url", "list-type=2", "max-keys=2", "prefix=" + encoded(prefix)])))
            token = None
            for name, child in local(ElementTree.fromstring(curl(query=query))):
                if name == "Contents":
                    keys.append(unquote(dict(local(child))["Key"].text.replace("+", " ")))
                elif name == "CommonPrefixes":
                    prefixes.append(unquote(dict(local(child))["Prefix"].text.replace("+", " ")))
                elif name == "NextContinuationToken":
                    token = child.text
            if not token:
                return listing(keys, prefixes)

    def copy(self, source, target):
        answer = curl("--request", "PUT", "--header", f"x-amz-copy-source: /{BUCKET}/{encoded(source, '/')}", key=target)
        if b"CopyObjectResult" not in answer:
            raise Failure(answer)

    def delete(self, key):
        curl("--request", "DELETE", key=key)

    def delete_all(self, *keys):
        body = "<Delete>" + "".join(f"<Object><Key>{escape(key)}</Key></Object>" for key in keys) + "</Delete>"
        digest = base64.b64encode(hashlib.md5(body.encode()).digest()).decode()
        answer = self.post(body, "?delete=", header=f"Content-MD5: {digest}")
        if b"<Error>" in answer:
            raise Failure(answer)

    def put_in_parts(self, key, file):
        started = ElementTree.fromstring(self.post("", "?uploads=", key=key))
        upload = dict(local(started))["UploadId"].text
        parts = ""
        with open(file, "rb") as whole:
            number = 0
            while chunk := whole.read(PART):
                number += 1
                part = os.path.join(WORK, "part.bin")
                with open(part, "wb") as into:
                    into.write(chunk)
                head = curl("--upload-file", part, "--dump-header", "-", key=key, payload="UNSIGNED-PAYLOAD",
                            query=f"?partNumber={number}&uploadId={encoded(upload)}")
                etag = re.search(r"(?im)^etag: *(\S+)", head.decode()).group(1)
                parts += f"<Part><PartNumber>{number}</PartNumber><ETag>{escape(etag)}</ETag></Part>"
        answer = self.post(f"<CompleteMultipartUpload>{parts}</CompleteMultipartUpload>",
                           f"?uploadId={encoded(upload)}", key=key)
        if b"CompleteMultipartUploadResult" not in answer:
            raise Failure(answer)

    @staticmethod
    def post(body, query, key=None, header=None):
        headers = ["--header", "Content-Type: application/xml"] + (["--header", header] if header else [])
        return curl("--request", "POST", *headers,
                    "--data-binary", body, key=key, query=query, body=body.encode())

    def get_range(self, key, first, last, file):
        curl("--range", f"{first}-{last}", "--output", file, key=key)


if __name__ == "__main__":
    serve(Curl())
