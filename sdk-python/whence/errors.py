"""Errors of the service. Branch on the class or on `code`."""

from __future__ import annotations

from typing import Any


class WhenceError(Exception):
    """An error response of the service."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(error.get("message") or f"The service responded with status {status}")
        self.status = status
        #: Stable error code; see /docs/errors.
        self.code: str = error.get("code") or "unknown"
        self.request_id: str | None = error.get("request_id")
        self.reason: str | None = error.get("reason")
        #: The invalid parameter or member, such as `properties.value`.
        self.field: str | None = error.get("field")
        #: The problem with `field`, without its name.
        self.problem: str | None = error.get("problem")
        #: The violated rule, such as `required` or `too_big`, if it is a standard rule.
        self.rule: str | None = error.get("rule")


class InvalidRequestError(WhenceError):
    """400 and 422: the request is wrong."""


class AuthenticationError(WhenceError):
    """401: the credential is missing, expired or revoked."""


class PermissionDeniedError(WhenceError):
    """403: the credential lacks a scope, or the user a role."""


class NotFoundError(WhenceError):
    """404: does not exist, or belongs to someone else."""


class ConflictError(WhenceError):
    """409: not allowed in the current state."""


class RateLimitError(WhenceError):
    """429, after all retries."""


class ServerError(WhenceError):
    """5xx, after all retries."""


class NoResponseError(Exception):
    """No response after all retries; `__cause__` is the underlying error."""

    def __init__(self) -> None:
        super().__init__("The service did not respond")


_CLASSES = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def to_error(status: int, error: dict[str, Any]) -> WhenceError:
    default = ServerError if status >= 500 else WhenceError
    return _CLASSES.get(status, default)(status, error)
