/** Who is told of a person, and what is never written down. */
import type { Guard } from './guard.ts'

const outcomes = 'server/src/features/webhooks/outbox/outcomes.test.ts'

export const privacyGuards: readonly Guard[] = [
  {
    name: 'privacy: the log names the route, not the address with its tokens',
    file: 'server/src/http/server.ts',
    snippet: '      route,\n      status: statusCode,',
    replacement: '      route: request.url,\n      status: statusCode,',
    test: {
      file: 'server/test/secrets-in-logs.test.ts',
      title: 'no route’s secrets, of the request or of the reply',
    },
  },
  {
    name: 'privacy: the log of a failure names the route, not the address with its tokens',
    file: 'server/src/http/refuse.ts',
    snippet: "route: request.routeOptions.url ?? 'unmatched'",
    replacement: 'route: request.url',
    test: {
      file: 'server/test/secrets-in-logs.test.ts',
      title: 'nor any of it when the database fails under the request',
    },
  },
  {
    name: 'privacy: secret answers are kept sealed',
    file: 'server/src/http/idempotency.ts',
    snippet: 'bytes !== null && claim.sealed ? seal(service.keyring, place(claim), bytes) : bytes',
    replacement: 'bytes',
    test: {
      file: 'server/test/secrets-at-rest.test.ts',
      title: 'no secret that a reply or a mail carried is found in the database',
    },
  },
  {
    name: 'privacy: the contact goes to a grant that may read customers',
    file: 'server/src/features/webhooks/rules.ts',
    snippet: "      scopes.includes('customers:read') ||\n",
    replacement: '      true ||\n',
    test: { file: outcomes, title: 'the contact goes only to a grant that may read customers' },
  },
  {
    name: 'privacy: healthcare outcomes go to the app that provisioned the profile',
    file: 'server/src/features/webhooks/rules.ts',
    snippet: 'hears && (!profile.isHealthcare || profile.provisionedByAppId === appId)',
    replacement: 'hears',
    test: {
      file: outcomes,
      title: 'healthcare outcomes go to the app that provisioned the profile and to nobody else',
    },
  },
  {
    name: 'privacy: healthcare outcomes are replayed to the app that provisioned the profile',
    file: 'server/src/features/webhooks/outbox/replay.ts',
    snippet: '  refuseHealthcare(context)\n',
    replacement: '',
    test: {
      file: outcomes,
      title: 'healthcare outcomes go to the app that provisioned the profile and to nobody else',
    },
  },
  {
    name: 'privacy: a withdrawn grant hears nothing',
    file: 'server/src/features/webhooks/rules.ts',
    snippet: 'const hears = grants.length > 0',
    replacement: 'const hears = true',
    test: { file: outcomes, title: 'a revoked grant stops delivery' },
  },
  {
    name: 'privacy: a payment names its payer to who may read customers',
    file: 'server/src/context.ts',
    snippet: "return scopes.includes('customers:read') && !(isPartner && isHealthcare(profile))",
    replacement: 'return isPartner || true',
    test: {
      file: 'server/src/features/payments/payments.test.ts',
      title: 'withholds the person from a key that may not read people',
    },
  },
  {
    name: 'privacy: a healthcare profile opens people to no grant',
    file: 'server/src/features/oauth/codes.ts',
    snippet: 'if (isHealthcare(profile) && asked.some((scope) => personScopes.includes(scope)))',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/oauth/oauth.test.ts',
      title: 'a healthcare profile is never opened to people-reading grants',
    },
  },
  {
    name: 'privacy: a partner reads no people of a healthcare profile',
    file: 'server/src/http/authorize.ts',
    snippet: "if (entry.personLevel === 'refused') refuseHealthcarePeople(caller, profile)",
    replacement: '',
    test: {
      file: 'server/src/features/access/access.test.ts',
      title:
        'a partner key reads no people of a healthcare profile from the moment it is one; a direct key does',
    },
  },
  {
    name: 'privacy: an event sent again brings no erased person back',
    file: 'server/src/features/events/erasure-rules.ts',
    snippet:
      '    anonymousId: null,\n    sessionId: null,\n    externalId: null,\n    body: {\n      identifiers: [],',
    replacement: '    body: {\n      identifiers: event.body.identifiers,',
    test: {
      file: 'server/src/features/erasures/erasures.test.ts',
      title: 'what is sent later is of somebody new, and an event sent again brings nobody back',
    },
  },
  {
    name: 'privacy: a page that shows people leaves a line in the log of accesses',
    file: 'server/src/features/webhooks/outbox/replay.ts',
    snippet: 'context.shown.add(row.person_id)',
    replacement: 'continue',
    test: {
      file: 'server/src/features/webhooks/outbox/synced-outcomes.test.ts',
      title: 'a replay that shows people says so in the log of accesses',
    },
  },
  {
    name: 'privacy: events come from the sites that the settings allow',
    file: 'server/src/features/tracking/collect.ts',
    snippet: 'if (!isAllowedSite(parsed.value.url, settings.allowedDomains))',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/tracking/tracking.test.ts',
      title: 'takes events only from the sites that the settings list',
    },
  },
]
