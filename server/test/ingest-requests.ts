/** Requests to the event routes: valid, faulty and hostile ones. */
import { randomUUID } from 'node:crypto'
import { makeWirePage } from './wire-page.ts'

/** With a percent-encoded letter: the same route for the framework, but not handled directly. */
export const FRAMEWORK = {
  events: '/api/v1/%65vents',
  batch: '/api/v1/events/%62atch',
  collect: '/api/tracking/%63ollect',
}
export const DIRECT = {
  events: '/api/v1/events',
  batch: '/api/v1/events/batch',
  collect: '/api/tracking/collect',
}
export type Paths = typeof DIRECT
export type Keys = { own: string; other: string; unscoped: string; tracking: string }

export type Head = Record<string, string | undefined>

/** A raw request with one character per byte; undefined headers are omitted. */
export function request(path: string, head: Head, body = '', method = 'POST'): string {
  const all: Head = { host: 'x', 'content-length': String(body.length), ...head }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

const json = { 'content-type': 'application/json' }
const text = { 'content-type': 'text/plain' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
export const event = () => JSON.stringify({ event_name: 'page_view', anonymous_id: 'someone' })
const page = (key: string) =>
  JSON.stringify({ key, events: [makeWirePage({ event_id: randomUUID(), anonymous_id: 'someone' })] })
const paid = { event_name: 'payment_received', properties: { value: 10 } }

export type Case = (paths: Paths, keys: Keys) => string | [string, number]

export const cases: Record<string, Case> = {
  'an event': ({ events }, { own }) => request(events, { ...json, ...bearer(own) }, event()),
  'a batch': ({ batch }, { own }) =>
    request(batch, { ...json, ...bearer(own) }, `{"events":[${event()},${event()},7]}`),
  'a large batch': ({ batch }, { own }) =>
    request(batch, { ...json, ...bearer(own) }, `{"events":[${Array.from({ length: 300 }, event).join()}]}`),
  'a page view': ({ collect }, { tracking }) => request(collect, text, page(tracking)),
  'a page view as JSON': ({ collect }, { tracking }) => request(collect, json, page(tracking)),
  'a type with a parameter': ({ events }, { own }) =>
    request(events, { ...bearer(own), 'content-type': 'application/json; charset=utf-8' }, event()),
  'a type in capitals': ({ events }, { own }) =>
    request(events, { ...bearer(own), 'content-type': 'Application/JSON' }, event()),
  'a type that is none': ({ events }, { own }) =>
    request(events, { ...bearer(own), 'content-type': 'json' }, event()),
  'a wrong type': ({ events }, { own }) => request(events, { ...text, ...bearer(own) }, event()),
  'no type': ({ events }, { own }) => request(events, bearer(own), event()),
  'no type for a page view': ({ collect }, { tracking }) => request(collect, {}, page(tracking)),
  'no body': ({ events }, { own }) => request(events, { ...json, ...bearer(own) }),
  'neither body nor length': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'content-length': undefined }),
  'no JSON': ({ events }, { own }) => request(events, { ...json, ...bearer(own) }, '{"event_name":'),
  'no JSON in the collector': ({ collect }) => request(collect, text, '{"key":'),
  'no UTF-8': ({ events }, { own }) => request(events, { ...json, ...bearer(own) }, '{"event_name":"\xff"}'),
  'letters beyond ASCII': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own) }, '{"event_name":"a","n\xc3\xa9":1}'),
  'a list': ({ events }, { own }) => request(events, { ...json, ...bearer(own) }, '[]'),
  'an unknown field': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own) }, '{"event_nam":"a"}'),
  'money without a key': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own) }, JSON.stringify(paid)),
  'a key in the header': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'idempotency-key': `k-${own}` }, JSON.stringify(paid)),
  'a bad key in the header': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'idempotency-key': '\xe9' }, JSON.stringify(paid)),
  'a compressed body': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'content-encoding': 'gzip' }, '\x1f\x8b\x08\x00'),
  'a body that is too large': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'content-length': '300000' }, ' '),
  'a page view that is too large': ({ collect }) =>
    request(collect, { ...text, 'content-length': '300000' }, ' '),
  chunks: ({ events }, { own }) =>
    request(
      events,
      { ...json, ...bearer(own), 'content-length': undefined, 'transfer-encoding': 'chunked' },
      `${event().length.toString(16)}\r\n${event()}\r\n0\r\n\r\n`,
    ),
  'chunks and a length': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'transfer-encoding': 'chunked' }, '0\r\n\r\n'),
  'two lengths': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'Content-Length': '1' }, event()),
  'a length that is no number': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'content-length': '1x' }, event()),
  'a negative length': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'content-length': '-1' }, event()),
  'two credentials': ({ events }, { own, other }) =>
    request(events, { ...json, ...bearer(own), Authorization: `Bearer ${other}` }, event()),
  'two types': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'Content-Type': 'text/plain' }, event()),
  'no credential': ({ events }) => request(events, json, event()),
  'a credential that is none': ({ events }) => request(events, { ...json, ...bearer('nothing') }, event()),
  'a session in a cookie': ({ events }) =>
    request(
      events,
      { ...json, cookie: '__Host-whence_session=whs_x', 'sec-fetch-site': 'cross-site' },
      event(),
    ),
  'an unknown tracking key': ({ collect }) => request(collect, text, page('wht_x')),
  'a key without the scope': ({ events }, { unscoped }) =>
    request(events, { ...json, ...bearer(unscoped) }, event()),
  'a key without the scope, and a bad event': ({ events }, { unscoped }) =>
    request(events, { ...json, ...bearer(unscoped) }, JSON.stringify(paid)),
  "another tenant's key": ({ events }, { other }) => request(events, { ...json, ...bearer(other) }, event()),
  'a parameter': ({ events }, { own }) => request(`${events}?x=1`, { ...json, ...bearer(own) }, event()),
  'a parameter of the collector': ({ collect }, { tracking }) =>
    request(`${collect}?utm_source=x`, text, page(tracking)),
  'a slash at the end': ({ events }, { own }) => request(`${events}/`, { ...json, ...bearer(own) }, event()),
  'an absolute address': ({ events }, { own }) =>
    request(`http://x${events}`, { ...json, ...bearer(own) }, event()),
  GET: ({ events }, { own }) => request(events, bearer(own), '', 'GET'),
  HEAD: ({ collect }) => request(collect, { 'content-length': undefined, connection: 'close' }, '', 'HEAD'),
  OPTIONS: ({ collect }) => request(collect, { origin: 'https://shop.example' }, '', 'OPTIONS'),
  PUT: ({ events }, { own }) => request(events, { ...json, ...bearer(own) }, event(), 'PUT'),
  'a request that expects to be asked for its body': ({ events }, { own }) => [
    request(events, { ...json, ...bearer(own), expect: '100-continue' }, event()),
    2,
  ],
  'a request that expects what there is not': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), expect: 'tea' }, event()),
  'its own id': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'x-request-id': `req_${'a'.repeat(20)}` }, event()),
  'an id that is none': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'x-request-id': 'mine' }, event()),
  'the end of the connection': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), connection: 'close' }, event()),
  'a version': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own), 'accept-version': '2.x' }, event()),
  'no host': ({ events }, { own }) => request(events, { ...json, ...bearer(own), host: undefined }, event()),
  'HTTP/1.0': ({ events }, { own }) =>
    request(events, { ...json, ...bearer(own) }, event()).replace('HTTP/1.1', 'HTTP/1.0'),
  'several at once': ({ events, collect, batch }, { own, tracking }) => [
    request(events, { ...json, ...bearer(own) }, event()) +
      request(collect, text, page(tracking)) +
      request(events, { ...json, ...bearer(own) }, '[') +
      request(batch, { ...json, ...bearer(own) }, '{"events":[]}') +
      request(events, json, event()) +
      request(events, { ...json, ...bearer(own) }, event()),
    6,
  ],
  'more than one request, the second broken': ({ events }, { own }) => [
    `${request(events, { ...json, ...bearer(own) }, event())}POST ${events} HTTP/1.1\r\nx y\r\n\r\n`,
    2,
  ],
}
