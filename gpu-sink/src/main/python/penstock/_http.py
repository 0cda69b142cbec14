"""One signed request and the body of its answer."""

import datetime
import hashlib
import hmac
import http.client
import re
import ssl
import xml.etree.ElementTree
from typing import Dict, NamedTuple, Optional
from urllib.parse import urlsplit

from .errors import PenstockError, RequestRefused, StreamTruncated

_STREAM = "application/vnd.apache.arrow.stream"
_LONGEST_ERROR = 64 << 10


class Address(NamedTuple):
    """Where a gateway is and who asks it."""

    endpoint: str
    access_key: str
    secret_key: str
    session_token: Optional[str]
    region: str

    def __repr__(self) -> str:
        return f"Address({self.endpoint}, {self.access_key}, ***)"


def signed_fields(
    address: Address, host: str, path: str, body: bytes, now: datetime.datetime
) -> Dict[str, str]:
    """The fields of a POST by Signature Version 4, without a query.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
    """
    moment = now.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/{address.region}/s3/aws4_request"
    digest = hashlib.sha256(body).hexdigest()
    fields = {
        "content-type": "application/json",
        "host": host,
        "x-amz-content-sha256": digest,
        "x-amz-date": moment,
    }
    if address.session_token:
        fields["x-amz-security-token"] = address.session_token
    names = ";".join(sorted(fields))
    canonical = "".join(f"{name}:{fields[name]}\n" for name in sorted(fields))
    request = f"POST\n{path}\n\n{canonical}\n{names}\n{digest}"
    hashed = hashlib.sha256(request.encode()).hexdigest()
    key = ("AWS4" + address.secret_key).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    to_sign = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashed}"
    signature = hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest()
    fields["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={address.access_key}/{scope},"
        f"SignedHeaders={names},Signature={signature}"
    )
    return fields


class Answer:
    """The body of one answer, read into the caller's memory."""

    def __init__(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> None:
        self._connection = connection
        self._response = response

    def readinto(self, target: memoryview) -> int:
        try:
            return self._response.readinto(target)
        except http.client.IncompleteRead:
            return 0
        except (OSError, http.client.HTTPException, ValueError) as e:
            raise StreamTruncated("ConnectionBroken", str(e) or type(e).__name__) from e

    def close(self) -> None:
        self._connection.close()


def post(
    address: Address,
    path: str,
    body: bytes,
    timeout: float,
    context: Optional[ssl.SSLContext],
) -> Answer:
    """Asks, and gives the answer if it is a stream.

    Raises:
        RequestRefused: the gateway answered with an error.
        StreamTruncated: there is no connection, or no answer.
    """
    parts = urlsplit(address.endpoint)
    host = parts.hostname or ""
    if parts.scheme == "https":
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, parts.port, timeout=timeout, context=context or ssl.create_default_context()
        )
    else:
        connection = http.client.HTTPConnection(host, parts.port, timeout=timeout)
    done = False
    try:
        now = datetime.datetime.now(datetime.timezone.utc)
        fields = signed_fields(address, parts.netloc.rpartition("@")[2], path, body, now)
        try:
            connection.request("POST", path, body, fields)
        except BrokenPipeError:
            pass  # a gateway that refuses early answers and closes
        response = connection.getresponse()
        if response.status != 200 or not response.getheader("content-type", "").startswith(_STREAM):
            raise _refused(response)
        done = True
        return Answer(connection, response)
    except (OSError, http.client.HTTPException) as e:
        raise StreamTruncated("ConnectionBroken", f"{address.endpoint}: {e}") from e
    finally:
        if not done:
            connection.close()


def _refused(response: http.client.HTTPResponse) -> PenstockError:
    text = response.read(_LONGEST_ERROR).decode("utf-8", "replace")
    if response.status == 200:
        return RequestRefused(400, "NoStream", "the answer is no Arrow stream: is this a gateway?")
    code, message = f"Status{response.status}", "the gateway answered with an error"
    # a document type could hold entities that grow: an S3 error has none
    if "<!DOCTYPE" not in text:
        try:
            document = xml.etree.ElementTree.fromstring(text)
            found = {re.sub("{.*}", "", element.tag): element.text for element in document}
            code, message = found.get("Code") or code, found.get("Message") or message
        except xml.etree.ElementTree.ParseError:
            pass
    return RequestRefused(response.status, code, message)
