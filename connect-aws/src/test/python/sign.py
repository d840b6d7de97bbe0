"""Signs the requests of a JSON file with botocore, and prints the signatures as JSON: the authority that tests compare with."""
import base64
import hashlib
import json
import sys

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def authorization(case, credentials):
    """Of a request that is signed in its headers."""
    body = base64.b64decode(case.get("body", ""))
    headers = dict(case["headers"])
    headers["X-Amz-Date"] = case["time"]
    headers["X-Amz-Content-SHA256"] = hashlib.sha256(body).hexdigest()
    if credentials.token:
        headers["X-Amz-Security-Token"] = credentials.token
    request = AWSRequest(case["method"], case["url"], headers=headers, data=body)
    request.context["timestamp"] = case["time"]
    signer = botocore.auth.SigV4Auth(credentials, case["service"], case["region"])
    canonical = signer.canonical_request(request)
    signature = signer.signature(signer.string_to_sign(request, canonical), request)
    names = signer.signed_headers(signer.headers_to_sign(request))
    return f"AWS4-HMAC-SHA256 Credential={signer.scope(request)}, SignedHeaders={names}, Signature={signature}"


def token(case, credentials):
    """Of a database's user, as the client of RDS makes it."""
    request = AWSRequest("GET", case["url"])
    request.context["timestamp"] = case["time"]
    signer = botocore.auth.SigV4QueryAuth(credentials, case["service"], case["region"], expires=900)
    signer._modify_request_before_signing(request)
    canonical = signer.canonical_request(request)
    signature = signer.signature(signer.string_to_sign(request, canonical), request)
    signer._inject_signature_to_request(request, signature)
    return request.url.removeprefix("https://")


signatures = {}
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    credentials = Credentials(case["accessKey"], case["secretKey"], case.get("token"))
    signatures[case["name"]] = (token if case["service"] == "rds-db" else authorization)(case, credentials)
json.dump(signatures, sys.stdout, indent=2, sort_keys=True)
print()
