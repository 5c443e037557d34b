/** Signatures of incoming requests, and targets of outgoing ones. */
import type { Guard } from './guard.ts'

const client = 'server/src/platform/outbound/client.test.ts'
const connectors = 'server/test/every-connector.test.ts'
const banklink = 'server/src/connectors/banklink/official-client.test.ts'
const signed = 'are accepted only with a signature over their exact bytes'
const hostile = 'rejects %s without opening a connection'

export const outsideGuards: readonly Guard[] = [
  {
    name: 'syncs: a provider that repeats its cursor does not keep a sync running',
    file: 'server/src/features/sources/connections/sync.ts',
    snippet: 'if (page.cursor !== null && page.cursor === cursor)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/sources/connections/sync.test.ts',
      title: 'and returns each page as the next one ends after the second',
    },
  },
  {
    name: 'syncs: a provider with endless pages does not keep a sync running',
    file: 'server/src/features/sources/connections/sync.ts',
    snippet: 'if (pages.length >= pagesLeft)',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/sources/connections/sync.test.ts',
      title: 'and always has another page ends after 100,000',
    },
  },
  {
    name: 'sandbox: a request through a proxy is not local',
    file: 'server/src/platform/http/sandbox-guard.ts',
    snippet: 'if (proxyHeaders.some((name) => headers[name] !== undefined)) return false',
    replacement: '',
    test: {
      file: 'server/src/platform/http/sandbox-guard.test.ts',
      title: 'a request that came through a proxy (%s) is not local, whatever its Host header',
    },
  },
  {
    name: 'sandbox: the clock is limited to storable years',
    file: 'server/src/platform/http/sandbox.ts',
    snippet: 'const isSupportedTime = (ms: number) => ms >= EARLIEST_MS && ms <= LATEST_MS',
    replacement: 'const isSupportedTime = (_: number) => true',
    test: { file: 'server/src/platform/http/sandbox-guard.test.ts', title: 'the clock cannot be set to %s' },
  },
  {
    name: 'ssrf: test targets are refused outside the sandbox',
    file: 'server/src/features/outgoing/webhooks/subscriptions.ts',
    snippet: '!service.config.SANDBOX && isLocalOrInsecure(new URL(url))',
    replacement: 'false',
    test: {
      file: 'server/src/features/outgoing/webhooks/attacks.test.ts',
      title: 'outside the sandbox, creating %s is refused even if private ranges are allowed',
    },
  },
  {
    name: 'providers: an absurd lifetime of a token is bounded',
    file: 'server/src/connectors/window.ts',
    snippet: 'Math.min(seconds, MAX_LIFETIME_SECONDS)',
    replacement: 'seconds',
    test: { file: 'server/src/connectors/token-lifetime.test.ts', title: 'a lifetime of %s expires at %s' },
  },
  {
    name: 'input: a broken cursor of the ledger is refused',
    file: 'server/src/features/outgoing/exports/ledger/operations.ts',
    snippet:
      'runId: query.run_id,\n    status: query.status,\n    before: accepted(readIdCursor(query.cursor)),',
    replacement: 'runId: query.run_id,\n    status: query.status,\n    before: null,',
    test: {
      file: 'server/src/features/outgoing/exports/exports.test.ts',
      title: 'a broken cursor (%s) is refused, not read as the first page',
    },
  },
  {
    name: 'ssrf: a shop address entered by a person must be public',
    file: 'server/src/connectors/registry.ts',
    snippet: 'isReal && userEnteredHosts.has(provider) ? publicOutbound : outbound',
    replacement: 'outbound',
    test: {
      file: 'server/src/connectors/registry.test.ts',
      title: 'a shop address that a person entered is called only if it is public',
    },
  },
  {
    name: 'reports: a report of Microsoft Ads is fetched over TLS only',
    file: 'server/src/connectors/microsoft-ads/reports.ts',
    snippet: "if (!isSafe) throw new ProviderError('malformed', 'The report has an unsafe download URL')",
    replacement: '',
    test: {
      file: 'server/src/connectors/microsoft-ads/microsoft-ads.test.ts',
      title: 'a report is fetched only over TLS from Microsoft’s hosts',
    },
  },
  {
    name: 'reports: a report of Microsoft Ads is fetched from Microsoft’s hosts only',
    file: 'server/src/connectors/microsoft-ads/reports.ts',
    snippet: 'reportHosts.some((host) => target.hostname.endsWith(host))',
    replacement: 'true',
    test: {
      file: 'server/src/connectors/microsoft-ads/microsoft-ads.test.ts',
      title: 'a report is fetched only over TLS from Microsoft’s hosts',
    },
  },
  {
    name: 'exports: an address without a local part is not hashed for Microsoft Ads',
    file: 'server/src/connectors/microsoft-ads/capi-event.ts',
    snippet: "return user === '' ? '' : ",
    replacement: 'return ',
    test: {
      file: 'server/src/connectors/microsoft-ads/exports.test.ts',
      title: 'follows the documented steps and matches the examples',
    },
  },
  {
    name: 'signatures: a shop cannot sign webhooks of another',
    file: 'server/src/connectors/woocommerce/webhooks.ts',
    snippet: '`woocommerce webhook ${shop}`',
    replacement: "'woocommerce webhook'",
    test: {
      file: 'server/src/connectors/woocommerce/woocommerce.test.ts',
      title: 'no shop can sign for another',
    },
  },
  {
    name: 'TikTok Ads: deleted ads keep their spend',
    file: 'server/src/connectors/tiktok-ads/sync.ts',
    snippet: `filtering: [{ field_name: status, filter_type: 'IN', filter_value: '["STATUS_ALL"]' }],`,
    replacement: '',
    test: {
      file: 'server/src/connectors/tiktok-ads/tiktok-ads.test.ts',
      title: 'of a deleted ad is kept, with the status deleted',
    },
  },
  {
    name: 'TikTok Ads: spend of GMV Max is read from its own report',
    file: 'server/src/connectors/tiktok-ads/sync.ts',
    snippet: '...gmvMaxSteps(window),',
    replacement: '',
    test: {
      file: 'server/src/connectors/tiktok-ads/tiktok-ads.test.ts',
      title: 'of ads and of GMV Max together equals the billed amount',
    },
  },
  {
    name: 'TikTok Ads: a 200 that refuses the token requires a new consent',
    file: 'server/src/connectors/tiktok-ads/calls.ts',
    snippet: '40102, 40104, 40105',
    replacement: '40102, 40104',
    test: {
      file: 'server/src/features/sources/connect/tiktok-ads.test.ts',
      title: 'a 200 with code 40105 requires a new consent',
    },
  },
  {
    name: 'signatures: a HubSpot webhook is accepted for five minutes',
    file: 'server/src/connectors/hubspot/webhooks.ts',
    snippet: 'if (Math.abs(now.getTime() - Number(sentAt)) > WINDOW_MS) return false',
    replacement: '',
    test: {
      file: 'server/src/connectors/hubspot/webhooks.test.ts',
      title: 'are accepted for five minutes, in either direction',
    },
  },
  {
    name: 'webhooks: values of HubSpot’s properties are not stored, and a privacy deletion is carried out',
    file: 'server/src/features/sources/provider-webhooks/pages.ts',
    snippet: 'webhooks.split?.(inbound.rawBody) ?? [inbound.rawBody]',
    replacement: '[inbound.rawBody]',
    test: {
      file: 'server/src/features/sources/connect/hubspot.test.ts',
      title: 'a privacy deletion erases the person, and no property value was stored',
    },
  },
  {
    name: 'signatures: LinkedIn’s challenge signs only UUIDs',
    file: 'server/src/connectors/linkedin-ads/webhooks.ts',
    snippet: "if (app.clientSecret === '' || !challengePattern.test(challengeCode)) return null",
    replacement: '',
    test: {
      file: 'server/src/connectors/linkedin-ads/leads.test.ts',
      title: 'signs no text of the caller: a notification cannot be forged',
    },
  },
  {
    name: 'reports: 15,000 rows from LinkedIn are treated as truncated',
    file: 'server/src/connectors/linkedin-ads/analytics.ts',
    snippet: 'if (rows.length >= MAX_ROWS)\n    return',
    replacement: 'if (rows.length > MAX_ROWS)\n    return',
    test: {
      file: 'server/src/connectors/linkedin-ads/linkedin-ads.test.ts',
      title: '15,000 rows are never treated as complete: the days are halved until the report is',
    },
  },
  {
    name: 'signatures: digests are compared',
    file: 'server/src/connectors/signatures.ts',
    snippet: 'return expected.length === actual.length && timingSafeEqual(expected, actual)',
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
    name: 'banklink: a notice is signed over its body',
    file: 'server/src/connectors/banklink/webhook.ts',
    snippet: "if (!timingSafeEqual(sum, Buffer.from(claims.request_body_sha256, 'hex'))) return false",
    replacement: '',
    test: { file: banklink, title: 'with another body, key, algorithm or shape is rejected' },
  },
  {
    name: 'banklink: an old notice is refused',
    file: 'server/src/connectors/banklink/webhook.ts',
    snippet: 'if (Math.abs(now.getTime() / 1000 - claims.iat) > MAX_AGE_SECONDS) return false',
    replacement: '',
    test: { file: banklink, title: 'is accepted for five minutes in either direction, no longer' },
  },
  {
    name: 'banklink: a link is completed by one process at a time',
    file: 'server/src/features/sources/bank-links/queries.ts',
    snippet: '.where(claim.isFree(params.now))',
    replacement: '',
    test: {
      file: 'server/src/features/sources/bank-links/webhook.test.ts',
      title: 'and a concurrent caller create one connection, and both succeed',
    },
  },
  {
    name: 'checkout: nothing is added without consent',
    file: 'tracker/src/tracker.ts',
    snippet: "return (consent === 'granted' && parseVisitor(readVisitorText())?.id) || ''",
    replacement: "return parseVisitor(readVisitorText())?.id || ''",
    test: {
      file: 'tracker/test/checkout.test.ts',
      title: 'does not pass on an earlier visitor while consent is pending',
    },
  },
  {
    name: 'checkout: a charge is read back with its visitor',
    file: 'server/src/connectors/cardpay/sync.ts',
    snippet: 'if (byIntent !== undefined || customer === null) return byIntent ?? null',
    replacement: 'if (byIntent !== undefined || customer === null) return null',
    test: {
      file: 'server/src/connectors/cardpay/official-client.test.ts',
      title: 'a charge that changes after its checkout keeps the visitor (subscription: %s)',
    },
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
    name: 'signatures: a regionalpay notice must name the signed id',
    file: 'server/src/connectors/regionalpay/webhooks.ts',
    snippet: 'if (dataId.toLowerCase() !== notice.data.id.toLowerCase()) return false',
    replacement: '',
    test: {
      file: 'server/src/connectors/regionalpay/mapping.test.ts',
      title: '%s is refused',
    },
  },
  {
    name: 'signatures: both secrets sign during a rotation',
    file: 'server/src/platform/outbound/standard-webhooks.ts',
    snippet: 'const signatures = keys.map((key) => {',
    replacement: 'const signatures = keys.slice(0, 1).map((key) => {',
    test: {
      file: 'server/src/platform/outbound/standard-webhooks.test.ts',
      title: 'verifies with either secret while two are valid, and with no other',
    },
  },
  {
    name: 'ssrf: machine credentials at 169.254.169.254 are blocked',
    file: 'server/src/platform/outbound/addresses.ts',
    snippet: "  '169.254.0.0/16',\n",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: loopback is blocked',
    file: 'server/src/platform/outbound/addresses.ts',
    snippet: "  '127.0.0.0/8',\n",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: special IPv6 is blocked',
    file: 'server/src/platform/outbound/addresses.ts',
    snippet: " && !special6.check(address, 'ipv6')",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: IPv6 outside the global space is blocked',
    file: 'server/src/platform/outbound/addresses.ts',
    snippet: " && global6.check(address, 'ipv6')",
    replacement: '',
    test: { file: client, title: hostile },
  },
  {
    name: 'ssrf: the resolved address is checked',
    file: 'server/src/platform/outbound/client.ts',
    snippet: 'if (!answers.every((answer) => allowed(answer.address))) return callback(notPublic(), [])',
    replacement: '',
    test: {
      file: client,
      title: 'checks the same address that it connects to, if the name changes its address (DNS rebinding)',
    },
  },
  {
    name: 'ssrf: a user name in a URL is refused',
    file: 'server/src/platform/outbound/client.ts',
    snippet: 'if (url.username || url.password)',
    replacement: 'if (false)',
    test: { file: client, title: 'rejects a URL with %s' },
  },
  {
    name: 'limits: a reply is read up to its bound',
    file: 'server/src/platform/outbound/client.ts',
    snippet: 'if (size > maxBytes) tooLarge()',
    replacement: '',
    test: { file: client, title: 'rejects a response that is too large, announced or not' },
  },
]
