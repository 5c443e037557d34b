"""Verifies webhooks by Standard Webhooks (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .types import WebhookEvent

_TOLERANCE_SECONDS = 300


class Headers(Protocol):
    """A dictionary, or the headers of `http.server`, Flask, Django and others."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """The request was not signed with one of the secrets, or not within the last five minutes."""


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    secrets: str | Iterable[str],
    *,
    now: float | None = None,
    tolerance_seconds: int = _TOLERANCE_SECONDS,
) -> WebhookEvent:
    """Returns the event if one of the secrets signed exactly these bytes within the last five minutes.

    Pass the raw body, not parsed and serialized again, and both secrets during a rotation.
    """
    by_name = {name.lower(): value for name, value in headers.items()}
    message_id = _header(by_name, "webhook-id")
    timestamp = _header(by_name, "webhook-timestamp")
    signatures = _header(by_name, "webhook-signature").split(" ")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("webhook-timestamp is not a number")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is too far from now")
    raw = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + raw
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = "v1," + base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()
        if any(hmac.compare_digest(expected.encode(), given.encode()) for given in signatures):
            return json.loads(raw)
    raise WebhookVerificationError("No signature matches")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookVerificationError("The secret is not base64")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"{name} is missing")
    return value
