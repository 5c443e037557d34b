/** Sentences of the API's descriptions with "must" or "cannot", each with the test that verifies it. */
const promisesTest = 'server/test/promises/promises.test.ts'
const features = 'server/src/features'

export type Tested = { file: string; title: string }

export const promises: Readonly<Record<string, Tested>> = {
  'A person must connect the account again': {
    file: `${features}/sources/connections/refresh.test.ts`,
    title: 'of %s requires a reconnect once the grant itself is revoked',
  },
  'The provider no longer accepts the stored authorization: a person must connect again.': {
    file: `${features}/sources/connections/refresh.test.ts`,
    title: 'of %s requires a reconnect once the grant itself is revoked',
  },
  'Then it is `completed`, with the connection or with `pending_selection` if an account must be chosen; `failed` with a reason (`handoff_expired` after 45 minutes); or `cancelled`.':
    {
      file: `${features}/sources/connect/reasons.test.ts`,
      title: 'reports how many accounts wait for a choice, without their names',
    },
  'Where the person is redirected afterwards; its origin must be in `allowed_return_origins` or `redirect_uris` of the app':
    {
      file: `${features}/sources/connect/attacks.test.ts`,
      title: 'is accepted for exactly the registered and the additionally allowed origins',
    },
  'Several accounts are available: a person must choose one': {
    file: `${features}/sources/connect/reasons.test.ts`,
    title: 'reports how many accounts wait for a choice, without their names',
  },
  'The new one must be long enough and not in a public breach corpus.': {
    file: promisesTest,
    title: 'a new password is long enough and in no public breach corpus',
  },
  'The session must belong to the account for which the mail was sent.': {
    file: 'server/src/platform/access/recovery.test.ts',
    title: 'the mailed link verifies once and only in a session of its own account',
  },
  'From then on, members without a second factor cannot open the workspace; null if it is not required': {
    file: 'server/src/platform/access/factors/factors.test.ts',
    title: 'a required second factor: members get a grace period, then only this workspace is closed to them',
  },
  'The member must belong to this workspace alone (otherwise 403 `forbidden`, reason `member_elsewhere`); the operator of the service can help people of several.':
    {
      file: 'server/src/platform/access/factors/factors.test.ts',
      title: 'a lost factor: the owner helps members of this workspace alone, the operator everyone',
    },
  'The passkey must verify the person (PIN, fingerprint or face); it then counts as both factors.': {
    file: 'server/src/platform/access/factors/passkeys.test.ts',
    title: 'a passkey is a second factor, and with the person verified the only one',
  },
  'The last owner cannot be removed.': {
    file: promisesTest,
    title: 'the last owner is not removed, by anyone',
  },
  'The signed-in person must have the invited address.': {
    file: `${features}/account/members/members.test.ts`,
    title: 'an invitation reaches the person by mail only, and makes them a member once',
  },
  'Redirect URIs must be https, or loopback for development.': {
    file: promisesTest,
    title: 'redirect URIs are https, or loopback',
  },
  'Refunds that a provider reported cannot be undone here.': {
    file: `${features}/corrections/payments/refunds.test.ts`,
    title: 'are refused above the value that the provider has not refunded',
  },
  'The store must be connected.': {
    file: promisesTest,
    title: 'a pixel is activated only if the connection is live',
  },
  'Campaigns of a peer group must differ by more than their daily variation explains (overdispersion and autocorrelation are estimated from up to 84 days of each), and the subject must differ from the peer group’s median with a posterior probability of 0.9 and be unchanged for three days.':
    {
      file: `${features}/advice/recommendations/recommendations.test.ts`,
      title: 'pause a clearly bad campaign, but not one that was changed, is paused or has too little data',
    },
  'Ads are compared only within their campaigns, significance is tested with 999 permutations, and a trait must occur in at least 8 ads in 3 campaigns.':
    {
      file: `${features}/advice/creative-patterns/patterns-rules.test.ts`,
      title: 'needs eight ads in three campaigns',
    },
  'The target cannot be changed: create another destination.': {
    file: `${features}/outgoing/exports/exports.test.ts`,
    title: 'cannot change its target, and is invisible to other profiles',
  },
  'Each source with its dataset, or the reason why it cannot be used.': {
    file: `${features}/outgoing/exports/privacy.test.ts`,
    title: 'list why they cannot be used, and a destination with one is refused',
  },
  'Why it cannot be used; null if it can': {
    file: `${features}/outgoing/exports/privacy.test.ts`,
    title: 'list why they cannot be used, and a destination with one is refused',
  },
  'In the mode platform_safe the list must be switched on in the catalogue, and the platform receives a neutral name.':
    {
      file: `${features}/outgoing/exports/audiences/audiences.test.ts`,
      title: 'customer lists require a partner app’s key, a mode that allows them, and the setting',
    },
  'Both lower bounds must be above 0 for it to be served.': {
    file: `${features}/advice/top-performers/served-model.test.ts`,
    title: 'is served if past weeks predict the next, with its backtest',
  },
  'Required content of the record; for SPF, the mechanism that it must include': {
    file: `${features}/account/sender-domain/sender-domain.test.ts`,
    title: 'is verified by its required records, and signs mail so that a mail library accepts it',
  },
}

/** Sentences and table cells of all descriptions that use such a word. */
export function promisesOf(document: unknown): string[] {
  const texts = new Set<string>()
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (key === 'description' || key === 'summary')
        for (const sentence of writeSentences(value)) texts.add(sentence)
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, name)
  }
  visit(document, '')
  return [...texts]
}

function writeSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\s*\n\s*|\s*\|\s*/)
    .filter((sentence) => /\b(cannot|can not|can’t|must|mustn’t)\b/i.test(sentence))
}
