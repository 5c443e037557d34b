/** Recipients of personal data, and data that is never stored. */
import type { Guard } from './guard.ts'

const outcomes = 'server/src/features/facts/outbox/outcomes.test.ts'

const leaving = 'server/test/personal-values-leaving.test.ts'
const createdByApps = 'server/src/features/account/apps/created-by-apps.test.ts'
const decisions = 'server/src/features/outgoing/exports/decisions/decisions.test.ts'
const findAnyone = 'server/src/features/insights/customers/find-anyone.test.ts'
const audiencesOfFilters = 'server/src/features/outgoing/exports/audiences/create-audience.test.ts'

export const privacyGuards: readonly Guard[] = [
  {
    name: 'privacy: pages are sent with allowed query parameters only',
    file: 'server/src/platform/outbound/gate.ts',
    snippet: 'if (allowedParameters.has(name.toLowerCase()) && !check(value))',
    replacement: 'if (!check(value))',
    test: {
      file: 'server/src/platform/outbound/gate.test.ts',
      title: '%s leaves as %s',
    },
  },
  {
    name: 'privacy: a conversion passes the gate before it is sent',
    file: 'server/src/platform/outbound/gate.ts',
    snippet: '  return cleared as ClearedConversion\n',
    replacement: '  return conversion as ClearedConversion\n',
    test: { file: leaving, title: 'none reaches a platform' },
  },
  {
    name: 'privacy: a conversion with limited data use is not sent to a platform without a field for it',
    file: 'server/src/connectors/linkedin-ads/exports.ts',
    snippet: "  if (conversion.limitedDataUse) return 'limited_data_use'\n",
    replacement: '',
    test: {
      file: 'server/src/connectors/linkedin-ads/exports.test.ts',
      title: 'a conversion with limited data use is not sent',
    },
  },
  {
    name: 'privacy: a lead that its member deleted is redacted',
    file: 'server/src/connectors/linkedin-ads/webhooks.ts',
    snippet: "leadAction: z.enum(['CREATED', 'DELETED']),",
    replacement: "leadAction: z.enum(['CREATED']),",
    test: {
      file: 'server/src/connectors/linkedin-ads/leads.test.ts',
      title: 'lead to reading the lead; test leads are ignored, and a deleted lead is a privacy request',
    },
  },
  {
    name: 'privacy: a destination without test events takes no test code',
    file: 'server/src/features/outgoing/exports/destinations/operations.ts',
    snippet: "kind === 'microsoft' || kind === 'linkedin'",
    replacement: "kind === 'microsoft'",
    test: {
      file: 'server/src/features/outgoing/exports/linkedin.test.ts',
      title: 'refuses a test event code, because the platform would count the event',
    },
  },
  {
    name: 'privacy: an event for partners passes the gate before it is recorded',
    file: 'server/src/features/facts/outbox/record.ts',
    snippet: 'data: clearData(event.data),',
    replacement: 'data: event.data,',
    test: {
      file: 'server/src/features/outgoing/webhooks/webhooks.test.ts',
      title: 'a personal value in the data of an event is removed before it is sent',
    },
  },
  {
    name: 'privacy: only known fields of a message are stored',
    file: 'server/src/connectors/social-ads/connector.ts',
    snippet: 'answerChallenge, redactBody }',
    replacement: 'answerChallenge, redactBody: (rawBody) => rawBody }',
    test: {
      file: 'server/src/features/facts/conversations/conversations.test.ts',
      title: 'no text of a message is stored, whatever the form of the webhook',
    },
  },
  {
    name: 'privacy: the log redacts email addresses and phone numbers in every field',
    file: 'server/src/platform/redact.ts',
    snippet: 'return withoutPersonalValues(redacted)',
    replacement: 'return redacted',
    test: {
      file: 'server/src/platform/redact.test.ts',
      title: 'every log line is redacted, including nested causes',
    },
  },
  {
    name: 'privacy: the log contains the route, not the URL with its tokens',
    file: 'server/src/platform/http/request-hooks.ts',
    snippet: '          route,\n          status,',
    replacement: '          route: request.url,\n          status,',
    test: {
      file: 'server/test/secrets-in-logs.test.ts',
      title: 'no secrets of requests or responses of any route',
    },
  },
  {
    name: 'privacy: the log of a failure contains the route, not the URL with its tokens',
    file: 'server/src/platform/http/refuse.ts',
    snippet: "route: request.routeOptions.url ?? 'unmatched'",
    replacement: 'route: request.url',
    test: {
      file: 'server/test/secrets-in-logs.test.ts',
      title: 'none of these if the database fails during the request',
    },
  },
  {
    name: 'privacy: secret responses are stored encrypted',
    file: 'server/src/platform/http/idempotency.ts',
    snippet: 'bytes !== null && claim.sealed ? seal(service.keyring, sealContext(claim), bytes) : bytes',
    replacement: 'bytes',
    test: {
      file: 'server/test/secrets-at-rest.test.ts',
      title: 'no secret of a response or a mail is in the database',
    },
  },
  {
    name: 'privacy: the contact is sent only to grants with customers:read',
    file: 'server/src/features/outgoing/webhooks/rules.ts',
    snippet: "      scopes.includes('customers:read') ||\n",
    replacement: '      true ||\n',
    test: { file: outcomes, title: 'the contact is sent only to apps with a grant to read customers' },
  },
  {
    name: 'privacy: healthcare outcomes are sent only to the app that provisioned the profile',
    file: 'server/src/features/outgoing/webhooks/rules.ts',
    snippet: 'receivesEvents && (!profile.isHealthcare || profile.provisionedByAppId === appId)',
    replacement: 'receivesEvents',
    test: {
      file: outcomes,
      title: 'healthcare outcomes are sent only to the app that provisioned the profile',
    },
  },
  {
    name: 'privacy: healthcare outcomes are replayed only to the app that provisioned the profile',
    file: 'server/src/features/outgoing/webhooks/replay/replay.ts',
    snippet: '  refuseHealthcare(context)\n',
    replacement: '',
    test: {
      file: outcomes,
      title: 'healthcare outcomes are sent only to the app that provisioned the profile',
    },
  },
  {
    name: 'privacy: an app with a revoked grant receives nothing',
    file: 'server/src/features/outgoing/webhooks/rules.ts',
    snippet: 'const receivesEvents = grants.length > 0',
    replacement: 'const receivesEvents = true',
    test: { file: outcomes, title: 'a revoked grant stops delivery' },
  },
  {
    name: 'privacy: a payment shows its payer only with customers:read',
    file: 'server/src/context.ts',
    snippet: "return scopes.includes('customers:read') && !(isPartner && isHealthcare(profile))",
    replacement: 'return isPartner || true',
    test: {
      file: 'server/src/features/corrections/payments/payments.test.ts',
      title: 'withholds the person from a key that may not read people',
    },
  },
  {
    name: 'privacy: no grant can read people of a healthcare profile',
    file: 'server/src/features/account/oauth/codes.ts',
    snippet: 'if (isHealthcare(profile) && requested.some((scope) => personScopes.includes(scope)))',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/account/oauth/oauth.test.ts',
      title: 'a healthcare profile never gets person-level grants',
    },
  },
  {
    name: 'privacy: a partner cannot read people of a healthcare profile',
    file: 'server/src/platform/http/authorize.ts',
    snippet: "return caller.kind === 'key' && caller.appId !== null && isHealthcare(profile)",
    replacement: 'return false',
    test: {
      file: 'server/src/platform/access/access.test.ts',
      title: 'a partner key cannot read people as soon as the profile is a healthcare one; a direct key can',
    },
  },
  {
    name: 'privacy: a repeated event does not restore an erased person',
    file: 'server/src/features/facts/events/erasure-rules.ts',
    snippet:
      '    anonymousId: null,\n    sessionId: null,\n    externalId: null,\n    body: {\n      identifiers: [],',
    replacement: '    body: {\n      identifiers: event.body.identifiers,',
    test: {
      file: 'server/src/features/corrections/erasures/erasures.test.ts',
      title:
        'events sent after an erasure create a new customer, and a resent event does not restore the erased one',
    },
  },
  {
    name: 'privacy: a page that shows people is recorded in the access log',
    file: 'server/src/features/outgoing/webhooks/replay/replay.ts',
    snippet: 'context.shown.add(row.person_id)',
    replacement: 'continue',
    test: {
      file: 'server/src/features/outgoing/webhooks/replay/synced-outcomes.test.ts',
      title: 'a replay with people is in the access log',
    },
  },
  {
    name: 'privacy: events are accepted only from allowed sites',
    file: 'server/src/features/sources/tracking/collect.ts',
    snippet: 'if (!isAllowedSite(parsed.value.url, settings.allowedDomains))',
    replacement: 'if (false)',
    test: {
      file: 'server/src/features/sources/tracking/tracking.test.ts',
      title: 'accepts events only from the sites in the settings',
    },
  },
  {
    name: 'decisions: only an owner, an admin or the provisioning app extends data sharing',
    file: 'server/src/features/outgoing/exports/catalog/operations.ts',
    snippet:
      "if (looser.length > 0) await requireDecider(context, `Extending data sharing (${looser.join(', ')})`)",
    replacement: '',
    test: { file: decisions, title: 'may not sign the agreement or extend the allow-list' },
  },
  {
    name: 'decisions: a destination of a healthcare profile requires an owner or admin',
    file: 'server/src/features/outgoing/exports/destinations/operations.ts',
    snippet: "  await requireHealthcareDecider(context, 'Creating a destination')\n",
    replacement: '',
    test: {
      file: decisions,
      title: 'a destination of a healthcare workspace requires an owner or admin, also in the mode standard',
    },
  },
  {
    name: 'decisions: an audience of a healthcare profile requires an owner or admin',
    file: 'server/src/features/outgoing/exports/audiences/create-audience.ts',
    snippet: "  await requireHealthcareDecider(context, 'Sending customers')\n",
    replacement: '',
    test: {
      file: audiencesOfFilters,
      title: 'on a healthcare profile requires an owner and mails the owners',
    },
  },
  {
    name: 'audiences: members are committed before they are sent',
    file: 'server/src/features/outgoing/exports/audiences/customer-list.ts',
    snippet: 'service.db.transaction().execute(async (tx) => {\n    await record(tx)',
    replacement:
      '((work: (tx: Tx) => Promise<string[]>) => work(context.db as Tx))(async (tx) => {\n    await record(tx)',
    test: {
      file: 'server/src/features/outgoing/exports/audiences/erased.test.ts',
      title: 'members sent by a failed request are stored, and removed after an erasure',
    },
  },
  {
    name: 'audiences: customers who refused consent are not sent',
    file: 'server/src/features/outgoing/exports/audiences/create-audience.ts',
    snippet: 'matched.filter((id) => !refusedIds.has(id))',
    replacement: 'matched',
    test: {
      file: audiencesOfFilters,
      title: 'creates one list per name, and removes customers who no longer match',
    },
  },
  {
    name: "decisions: a healthcare profile sends nothing to a destination without an owner's decision",
    file: 'server/src/features/facts/export-queue/rules.ts',
    snippet: "  if (policy.isHealthcare && !destination.isOwnerDecision) return 'owner_decision_required'\n",
    replacement: '',
    test: { file: decisions, title: 'receives nothing until an owner decides' },
  },
  {
    name: 'decisions: every owner is mailed',
    file: 'server/src/platform/access/user-queries.ts',
    snippet: "m.role = 'owner' order by u.email`",
    replacement: "m.role = 'owner' order by u.email limit 1`",
    test: {
      file: decisions,
      title: 'every owner is mailed each decision, and the audit log records who made it',
    },
  },
  {
    name: 'consent: the page lists every granted scope',
    file: 'server/src/features/account/oauth/page.ts',
    snippet: "${effectList('Send to other services:', scopeMeanings(subject.scopes, 'send'))}\n",
    replacement: '',
    test: {
      file: 'server/src/features/account/oauth/oauth.test.ts',
      title: 'the consent page for %s has a sentence for every scope that it gives',
    },
  },
  {
    name: 'apps: everything that an app created stops with its authorization',
    file: 'server/src/platform/access/authorizations.ts',
    snippet: '  await stopCreatedByApps(tx, { authorizationIds, now })\n',
    replacement: '',
    test: {
      file: createdByApps,
      title: 'resources that an app created stop with its authorization, and are listed under the app',
    },
  },
  {
    name: 'apps: a destination that is disabled during a run gets no further batch',
    file: 'server/src/features/outgoing/exports/run/send.ts',
    snippet: 'if (policy.destinations.find(({ id }) => id === destination.id)?.enabled !== true)',
    replacement: 'if (false)',
    test: {
      file: createdByApps,
      title: 'an export run in progress sends nothing after the app is withdrawn',
    },
  },
  {
    name: 'tracking: a lost domain is no longer the origin of the snippet',
    file: 'server/src/features/sources/tracking/domains.ts',
    snippet:
      'else await saveDailyVerdict(db, { ...ref, status: verdict.status, detail: verdict.detail, now })',
    replacement: '',
    test: {
      file: createdByApps,
      title: 'a tracking domain is checked daily: a lost one stops, a failed lookup changes nothing',
    },
  },
  {
    name: 'search: callers who may not read people cannot search payments by payer',
    file: 'server/src/features/corrections/payments/routes.ts',
    snippet: 'parsed === null || canReadPeople(context) ? parsed : withoutPeople(parsed)',
    replacement: 'parsed',
    test: {
      file: findAnyone,
      title: 'a credential without access to customers finds payments by order and amount, but not by payer',
    },
  },
  {
    name: 'search: a retracted name is removed from the index',
    file: 'server/src/features/facts/identity/save-names.ts',
    snippet: 'await rebuildNames(tx, scope, [...stale])',
    replacement: '',
    test: {
      file: findAnyone,
      title: 'a retraction, an updated event and an erasure remove the name from the index',
    },
  },
  {
    name: 'customer data export: an erasure deletes the files of the person',
    file: 'server/src/features/corrections/person-data/steps.ts',
    snippet: '  await deleteParts(tx, { profileId, ids: rows.map((row) => row.id) })\n',
    replacement: '',
    test: {
      file: 'server/src/features/corrections/customer-data-exports/customer-data-exports.test.ts',
      title: 'an erasure ends exports and deletes their files; the person is unknown afterwards',
    },
  },
  {
    name: 'customer data export: a mailed code expires',
    file: 'server/src/features/corrections/customer-data-exports/rules.ts',
    snippet: 'expiresAt <= now || tries >= MAX_TRIES',
    replacement: 'tries >= MAX_TRIES',
    test: {
      file: 'server/src/features/corrections/customer-data-exports/customer-data-exports.test.ts',
      title: 'a code goes to the stored address, counts tries, and expires',
    },
  },
  {
    name: 'customer data export: a wrong code is counted',
    file: 'server/src/features/corrections/customer-data-exports/operations.ts',
    snippet: '        await queries.countTry(tx, { profileId, id })\n',
    replacement: '',
    test: {
      file: 'server/src/features/corrections/customer-data-exports/customer-data-exports.test.ts',
      title: 'a code goes to the stored address, counts tries, and expires',
    },
  },
  {
    name: 'customer data export: payments that were assigned to another payer are not exported',
    file: 'server/src/features/corrections/person-data/fact-tables.ts',
    snippet: "where: 't.payer_identifier_id is null'",
    replacement: "where: 'true'",
    test: {
      file: 'server/src/features/corrections/customer-data-exports/customer-data-exports.test.ts',
      title: 'the payer of a payment has it in the file, not the person who was named first',
    },
  },
  {
    name: 'customer data export: each download is logged',
    file: 'server/src/features/corrections/customer-data-exports/operations.ts',
    snippet:
      "  await logPersonAccess({ ...context, profile }, 'downloadWorkspaceCustomerDataExport', [row.customer_id!])\n",
    replacement: '',
    test: {
      file: 'server/src/features/corrections/customer-data-exports/customer-data-exports.test.ts',
      title: 'a repeated request returns the receipt; requests, downloads and owners’ mails are recorded',
    },
  },
]
