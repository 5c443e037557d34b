/** Input of strangers: tokens, signals, addresses, domains, and names that leave in files and messages. */
import type { Guard } from './guard.ts'

export const hostileGuards: readonly Guard[] = [
  {
    name: 'hostile input: a token of a visit works once',
    file: 'server/src/features/sources/tracking/collect.ts',
    snippet: '|| !isFirstUse',
    replacement: '',
    test: {
      file: 'server/src/features/sources/tracking/tracking.test.ts',
      title: 'continues a visit only between listed domains, without a referral between them',
    },
  },
  {
    name: 'hostile input: an identity signal without consent is refused',
    file: 'server/src/features/sources/tracking/collect.ts',
    snippet: "consent: 'consent' in body ? body.consent : 'granted',",
    replacement: "consent: 'granted',",
    test: {
      file: 'server/src/features/sources/tracking/tracking.test.ts',
      title: 'an identity signal counts as an event and comes from allowed sites only',
    },
  },
  {
    name: 'hostile input: a shop on a private address gets no hand-off',
    file: 'server/src/features/sources/handoffs/operations.ts',
    snippet: 'const problem = urlRefusal(`https://${address}`, service.config.WEBHOOK_ALLOW_CIDRS)',
    replacement: 'const problem = undefined',
    test: {
      file: 'server/src/features/sources/handoffs/handoffs.test.ts',
      title: 'of a shop at %s is refused: the address is private',
    },
  },
  {
    name: 'ssrf: names below localhost are loopback addresses',
    file: 'server/src/platform/outbound/client.ts',
    snippet: "? ['127.0.0.1', '::1'] : []",
    replacement: '? [] : []',
    test: {
      file: 'server/src/platform/outbound/client.test.ts',
      title: 'names below localhost are loopback addresses, before any lookup',
    },
  },
  {
    name: 'hostile input: no domain of a mail provider sends reports',
    file: 'server/src/features/account/sender-domain/operations.ts',
    snippet: 'if (isMailHost(body.domain))',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/account/sender-domain/sender-domain.test.ts',
      title: 'refuses the domain %j',
    },
  },
  {
    name: 'hostile input: a sending domain is not replaced by another',
    file: 'server/src/features/account/sender-domain/queries.ts',
    snippet: ".where('sender_domains.domain', '=', row.domain)",
    replacement: '',
    test: {
      file: 'server/src/features/account/sender-domain/sender-domain.test.ts',
      title:
        'keeps its key when registered again, is never replaced by another domain, and loses its key when removed',
    },
  },
  {
    name: 'hostile input: a name starts no formula behind a semicolon',
    file: 'server/src/platform/contract/csv-field.ts',
    snippet: 'CELL_BREAKS.has(char) ||',
    replacement: '',
    test: {
      file: 'server/src/platform/contract/csv-field.test.ts',
      title: '%j is written as %j',
    },
  },
  {
    name: 'hostile input: a name adds no line to a chat message',
    file: 'server/src/features/sharing/briefs/messages.ts',
    snippet: "text.replace(LAYOUT, ' ')",
    replacement: 'text',
    test: {
      file: 'server/src/features/sharing/briefs/messages.test.ts',
      title: 'adds no line, link or mention to a message in Slack',
    },
  },
  {
    name: "hostile input: a chat account's token is sent only to hosts of the platform",
    file: 'server/src/connectors/social-ads/chat-media.ts',
    snippet: String.raw`/(^|\.)(fbsbx\.com|fbcdn\.net|whatsapp\.net)$/.test(hostname)`,
    replacement: 'hostname !== ""',
    test: {
      file: 'server/src/connectors/social-ads/chat-media.test.ts',
      title: 'the token of the account is sent to %s: %s',
    },
  },
  {
    name: 'hostile input: a file is served with a valid media type',
    file: 'server/src/connectors/social-ads/chat-media.ts',
    snippet: 'type != null && form.test(type)',
    replacement: 'type != null',
    test: {
      file: 'server/src/connectors/social-ads/chat-media.test.ts',
      title: 'a file declared as %j is served as %s',
    },
  },
]
