/** What comes from outside with a signature, and where the service itself may be sent. */
import type { Guard } from './guard.ts'

const client = 'server/src/outbound/client.test.ts'
const connectors = 'server/test/every-connector.test.ts'
const signed = 'are believed only with the signature over their very bytes'
const hostile = 'refuses %s and opens no connection'

export const outsideGuards: readonly Guard[] = [
  {
    name: 'signatures: digests are compared',
    file: 'server/src/connectors/signatures.ts',
    snippet: 'return expected.length === given.length && timingSafeEqual(expected, given)',
    replacement: 'return true',
    test: { file: connectors, title: signed },
  },
  {
    name: 'signatures: crmsuite notices are verified by the provider’s key',
    file: 'server/src/connectors/crmsuite/webhooks.ts',
    snippet:
      "if (!verify(current === undefined ? 'sha256' : null, webhook.rawBody, key, signature)) return false",
    replacement: '',
    test: { file: connectors, title: signed },
  },
  {
    name: 'signatures: an old cardpay notice is refused',
    file: 'server/src/connectors/cardpay/webhooks.ts',
    snippet: 'if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false',
    replacement: '',
    test: { file: 'server/src/connectors/cardpay/mapping.test.ts', title: '%s is refused' },
  },
  {
    name: 'signatures: an old regionalpay notice is refused',
    file: 'server/src/connectors/regionalpay/webhooks.ts',
    snippet: 'if (ageMs > maxAgeMs || ageMs < -maxAheadMs) return false',
    replacement: '',
    test: {
      file: 'server/src/connectors/regionalpay/mapping.test.ts',
      title: '%s is refused',
    },
  },
  {
    name: 'signatures: a regionalpay notice names what was signed',
    file: 'server/src/connectors/regionalpay/webhooks.ts',
    snippet: 'if (dataId.toLowerCase() !== notice.data.id.toLowerCase()) return false',
    replacement: '',
    test: {
      file: 'server/src/connectors/regionalpay/mapping.test.ts',
      title: '%s is refused',
    },
  },
  {
    name: 'signatures: both secrets sign while one replaces the other',
    file: 'server/src/outbound/standard-webhooks.ts',
    snippet: 'const signatures = keys.map((key) => {',
    replacement: 'const signatures = keys.slice(0, 1).map((key) => {',
    test: {
      file: 'server/src/outbound/standard-webhooks.test.ts',
      title: 'is authentic under either secret while two live, and under no other',
    },
  },
  {
    name: 'ssrf: machine credentials at 169.254.169.254 are out of reach',
    file: 'server/src/outbound/addresses.ts',
    snippet: "  '169.254.0.0/16',\n",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: loopback is out of reach',
    file: 'server/src/outbound/addresses.ts',
    snippet: "  '127.0.0.0/8',\n",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: special IPv6 is out of reach',
    file: 'server/src/outbound/addresses.ts',
    snippet: " && !special6.check(address, 'ipv6')",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: IPv6 beside the global space is out of reach',
    file: 'server/src/outbound/addresses.ts',
    snippet: " && global6.check(address, 'ipv6')",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: the address behind a name is judged',
    file: 'server/src/outbound/client.ts',
    snippet: 'if (!answers.every((answer) => allowed(answer.address))) return callback(notPublic(), [])',
    replacement: '',
    test: {
      file: client,
      title: 'judges the very answer that it connects to, when the name changes its address',
    },
  },
  {
    name: 'ssrf: a user name in a URL is refused',
    file: 'server/src/outbound/client.ts',
    snippet:
      "if (url.username || url.password) throw new OutboundError('blocked', 'The URL carries a user name')",
    replacement: '',
    test: { file: client, title: 'refuses a URL that carries %s' },
  },
  {
    name: 'limits: a reply is read up to its bound',
    file: 'server/src/outbound/client.ts',
    snippet: 'if (size > maxBytes) tooLarge()',
    replacement: '',
    test: { file: client, title: 'refuses a reply that is too large, announced or not' },
  },
]
