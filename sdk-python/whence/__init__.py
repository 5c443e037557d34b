"""Client for the API of Whence: typed operations, retries, pages, webhook verification."""

from .calls import RawBody
from .errors import (
    AuthenticationError,
    ConflictError,
    NoResponseError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    WhenceError,
)
from .operations import Operations
from .webhooks import WebhookVerificationError, verify_webhook


class Client(Operations):
    """A client of one service. See the README for its options."""


__all__ = [
    "AuthenticationError",
    "Client",
    "ConflictError",
    "NoResponseError",
    "InvalidRequestError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimitError",
    "RawBody",
    "ServerError",
    "WebhookVerificationError",
    "WhenceError",
    "verify_webhook",
]
