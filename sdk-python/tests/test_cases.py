"""The cases that the TypeScript client plays too."""

import json
import re
import unittest
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

import whence
from whence.calls import Request, Response, wait_before

CASES = json.loads((Path(__file__).parents[2] / "sdk/test/cases.json").read_text())


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def shown(key: str | None) -> str | None:
    return "own" if key and re.fullmatch("[0-9a-f]{32}", key) else key


def body_of(request: Request) -> dict:
    return json.loads(request.body or b"{}")


class Service:
    """Sends these responses in order."""

    def __init__(self, responses: list) -> None:
        self.responses = list(responses)
        self.requests: list[Request] = []
        self.waits: list[float] = []

    def client(self, **options: object) -> whence.Client:
        given = {"token": "key", "transport": self.respond, "sleep": self.waits.append, **options}
        return whence.Client("https://whence.example/", **given)

    def respond(self, request: Request) -> Response:
        self.requests.append(request)
        response = self.responses.pop(0)
        if response == "lost":
            raise ConnectionResetError
        body = response.get("text", json.dumps(response.get("body", {}))).encode()
        return Response(response.get("status", 200), response.get("headers", {}), body)


def outcome_of(client: whence.Client, call: dict) -> dict:
    operation = getattr(client, snake(call["operation"]))
    query = {"from_" if name == "from" else name: value for name, value in call.get("query", {}).items()}
    args = [*call.get("params", {}).values(), *([call["body"]] if "body" in call else [])]
    if "idempotencyKey" in call:
        query["idempotency_key"] = call["idempotencyKey"]
    try:
        return {"result": list(client.rows(operation, *args, **query)) if call.get("rows") else operation(*args, **query)}
    except whence.NoResponseError:
        return {"error": "no response"}
    except whence.WhenceError as error:
        known = {**vars(error), "requestId": error.request_id, "message": str(error)}
        return {"error": type(error).__name__, **known}


class Cases(unittest.TestCase):
    maxDiff = None

    def test_cases(self) -> None:
        for case in CASES:
            with self.subTest(case["title"]):
                self.play(case)

    def play(self, case: dict) -> None:
        service = Service(case["responses"])
        client = service.client(**{snake(name): value for name, value in case.get("options", {}).items()})
        for call, expected in zip(case["calls"], case["outcomes"], strict=True):
            outcome = outcome_of(client, call)
            self.assertEqual({name: outcome.get(name) for name in expected}, expected)
        self.assertEqual(service.responses, [])
        for request in service.requests:
            self.assertEqual(request.headers["authorization"], "Bearer key")
        for request, expected in zip(service.requests, case.get("requests", []), strict="requests" in case):
            seen = {"url": request.url, "key": shown(request.headers.get("idempotency-key"))}
            if "eventKeys" in expected:
                seen["eventKeys"] = [shown(event.get("idempotency_key")) for event in body_of(request)["events"]]
            self.assertEqual({name: seen[name] for name in expected}, expected)
        if "keys" in case:
            self.assertEqual(len({request.headers.get("idempotency-key") for request in service.requests}), case["keys"])
        if "waits" in case:
            self.assertEqual(service.waits, case["waits"])

    def test_waits(self) -> None:
        waits = [wait_before(1, None, 0, 0), wait_before(1, None, 1, 0), wait_before(9, None, 1, 0)]
        self.assertEqual(waits, [0.25, 0.5, 8])
        now = datetime(2026, 11, 17, 10, 0, tzinfo=timezone.utc).timestamp()
        self.assertEqual(wait_before(1, "Tue, 17 Nov 2026 10:00:30 GMT", 0, now), 30)
        self.assertIsNone(wait_before(1, "61", 0, now))
        self.assertEqual(wait_before(1, "soon", 0, now), 0.25)

    def test_decimals(self) -> None:
        service = Service([{"text": '{"data": {"value": 0.1}}'}, {}, {}])
        client = service.client(parse_float=Decimal)
        self.assertEqual(client.list_goals(), {"data": {"value": Decimal("0.1")}})
        client.send_event({"event_name": "payment_received", "properties": {"value": Decimal("129.90")}})
        self.assertEqual(body_of(service.requests[1])["properties"], {"value": 129.9})
        with self.assertRaises(TypeError):
            client.send_event({"event_name": "visit", "properties": {"value": Decimal("0.12345678901234567890")}})

    def test_partner_apps_sign_in_with_basic(self) -> None:
        service = Service([{}])
        service.client(token=None, app=("id", "secret")).list_profiles()
        self.assertEqual(service.requests[0].headers["authorization"], "Basic aWQ6c2VjcmV0")


if __name__ == "__main__":
    unittest.main()
