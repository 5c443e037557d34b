"""Sends requests: authentication, retries with one idempotency key, typed errors."""

from __future__ import annotations

import base64
import email.utils
import http.client
import json
import random
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

from .errors import NoResponseError, to_error

_MAX_WAIT_SECONDS = 60.0
_FIRST_WAIT_SECONDS = 0.5
_MAX_BACKOFF_SECONDS = 8.0


@dataclass(frozen=True)
class RawBody:
    """A body that is not JSON, such as a file."""

    type: str
    content: bytes


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes


Transport = Callable[[Request], Response]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the credential to the host of the redirect."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


def send_by_urllib(request: Request) -> Response:
    opener = urllib.request.build_opener(_NoRedirects)
    reply: http.client.HTTPResponse | urllib.error.HTTPError
    outgoing = urllib.request.Request(
        request.url, data=request.body, headers=request.headers, method=request.method
    )
    try:
        reply = opener.open(outgoing, timeout=request.timeout)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        headers = {name.lower(): value for name, value in reply.headers.items()}
        return Response(reply.status or 0, headers, reply.read())


class Caller:
    """Parent of the generated operations."""

    def __init__(
        self,
        base_url: str,
        *,
        token: str | None = None,
        app: tuple[str, str] | None = None,
        headers: dict[str, str] | None = None,
        max_retries: int = 3,
        timeout: float = 60.0,
        parse_float: Callable[[str], Any] = float,
        transport: Transport = send_by_urllib,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`token`: an API key or user token. `app`: client id and secret of a partner app, for its own routes.

        With `parse_float=decimal.Decimal`, amounts are exact. `transport` and `sleep` are for tests.
        """
        self._base_url = base_url.rstrip("/")
        self._headers = {"accept": "application/json", **(headers or {}), **_authorization(token, app)}
        self._max_retries = max_retries
        self._timeout = timeout
        self._parse_float = parse_float
        self._transport = transport
        self._sleep = sleep

    def rows(self, operation: Callable[..., Any], *args: Any, **query: Any) -> Iterator[Any]:
        """Iterates over all rows of a list, page by page: `client.rows(client.list_payments, limit=100)`."""
        while True:
            page = operation(*args, **query)
            yield from page["data"]
            if not page["pagination"]["has_next"]:
                return
            query["cursor"] = page["pagination"]["cursor"]

    def _path(self, path: str, **params: Any) -> str:
        return path.format_map({name: quote(str(value), safe="") for name, value in params.items()})

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        raw: RawBody | None = None,
        takes_key: bool = False,
        idempotency_key: str | None = None,
        is_event: bool = False,
        batch: str | None = None,
        is_file: bool = False,
    ) -> Any:
        headers = dict(self._headers)
        has_own_key = self._max_retries > 0 and batch is None and not (is_event and _carries_money(body))
        key = idempotency_key or (_new_key() if has_own_key else None)
        if takes_key and key is not None:
            headers["idempotency-key"] = key
        content = _content(body, raw, batch)
        if content is not None:
            headers["content-type"] = raw.type if raw else "application/json"
        request = Request(method, self._base_url + path + _search(query), headers, content, self._timeout)
        # Reads, and writes that the service deduplicates.
        is_idempotent = method == "GET" or takes_key or batch is not None
        reply = self._send(request, is_idempotent)
        if is_file:
            return reply.body
        return json.loads(reply.body, parse_float=self._parse_float) if reply.body else None

    def _send(self, request: Request, is_idempotent: bool) -> Response:
        attempt = 0
        while True:
            attempt += 1
            cause: BaseException | None = None
            error: Exception
            try:
                reply = self._transport(request)
            except (OSError, http.client.HTTPException) as failure:
                cause, error, retry_after, may_retry = failure, NoResponseError(), None, is_idempotent
            else:
                if 200 <= reply.status < 300:
                    return reply
                fields = _error_fields(reply.body)
                error, retry_after = to_error(reply.status, fields), reply.headers.get("retry-after")
                # A rate-limited request did nothing, so any operation is safe to retry.
                may_retry = _is_retryable(reply.status, fields) and (is_idempotent or reply.status == 429)
            wait = wait_before(attempt, retry_after, random.random(), time.time())
            if not may_retry or attempt > self._max_retries or wait is None:
                raise error from cause
            self._sleep(wait)


def wait_before(attempt: int, retry_after: str | None, chance: float, now: float) -> float | None:
    """Seconds before the next attempt; None if Retry-After is more than a minute. `chance` (0 to 1) adds jitter."""
    asked = _read_retry_after(retry_after, now)
    if asked > _MAX_WAIT_SECONDS:
        return None
    backoff = min(_FIRST_WAIT_SECONDS * 2 ** (attempt - 1), _MAX_BACKOFF_SECONDS)
    return max(asked, backoff * (0.5 + chance / 2))


def _read_retry_after(header: str | None, now: float) -> float:
    """Parses seconds or a date."""
    if header is None:
        return 0.0
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - now)
    except ValueError:
        return 0.0


def _is_retryable(status: int, fields: dict[str, Any]) -> bool:
    return status in (408, 429) or status >= 500 or fields.get("code") == "idempotency_key_in_flight"


def _error_fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _authorization(token: str | None, app: tuple[str, str] | None) -> dict[str, str]:
    if token is not None:
        return {"authorization": f"Bearer {token}"}
    if app is not None:
        return {"authorization": "Basic " + base64.b64encode(":".join(app).encode()).decode()}
    return {}


def _search(query: dict[str, Any] | None) -> str:
    given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _new_key() -> str:
    return secrets.token_hex(16)


def _carries_money(event: Any) -> bool:
    """The API refuses money without an idempotency key. A random one would pass that check, and the same order sent
    twice would be paid twice: the key must be the caller's, such as the number of the invoice."""
    return isinstance(event, dict) and (event.get("properties") or {}).get("value") is not None


def _content(body: Any, raw: RawBody | None, batch: str | None) -> bytes | None:
    if raw is not None:
        return raw.content
    if body is None:
        return None
    if batch is not None:
        # Events without a key and without money get one, so that a retry counts none twice.
        elements = [
            element if _carries_money(element) else {"idempotency_key": _new_key(), **element}
            for element in body.get(batch, [])
        ]
        body = {**body, batch: elements}
    return json.dumps(body, default=_to_json, allow_nan=False).encode()


def _to_json(value: Any) -> Any:
    if isinstance(value, Decimal) and Decimal(repr(float(value))) == value:
        return float(value)
    raise TypeError(f"{value!r} has no exact form in JSON")
