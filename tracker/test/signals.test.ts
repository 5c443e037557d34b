// What banners state and which statement applies, without a browser.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ConsentCommand,
  type Purpose,
  purposes,
  type Reading,
  readConsentMode,
  readShopify,
  readTcf,
  readWp,
  toConsentCommand,
} from '../src/consent/banners.ts'
import { type Banner, decide, type Statements } from '../src/consent/decide.ts'
import { isExcludedPath } from '../src/consent/paths.ts'

const states = ['granted', 'pending', 'denied'] as const
type State = (typeof states)[number]

const consentMode = (timeZone: string, ...calls: [string, Record<string, unknown>][]) =>
  readConsentMode(
    calls.flatMap(([action, values]) => toConsentCommand(['consent', action, values]) ?? []),
    timeZone,
  )
const all = (state: string) => ({
  ad_storage: state,
  ad_user_data: state,
  ad_personalization: state,
  analytics_storage: state,
})
const reading = (statistics: State, userData: State, personalization: State): Reading => ({
  statistics,
  ad_user_data: userData,
  ad_personalization: personalization,
})

test('consent mode: a default that denies waits, an update is a choice', () => {
  const zone = 'Europe/Berlin'
  expect(consentMode(zone)).toBeUndefined()
  expect(consentMode(zone, ['default', all('denied')])).toEqual(reading('pending', 'pending', 'pending'))
  expect(consentMode(zone, ['default', all('granted')])).toEqual(reading('granted', 'granted', 'granted'))
  expect(consentMode(zone, ['default', all('denied')], ['update', { analytics_storage: 'granted' }])).toEqual(
    reading('granted', 'denied', 'denied'),
  )
  expect(
    consentMode(zone, ['default', all('denied')], ['update', all('granted')], ['update', all('denied')]),
  ).toEqual(reading('denied', 'denied', 'denied'))
  // Without storage for ads no data may be sent, and storage alone is no consent to send it.
  expect(consentMode(zone, ['update', { ad_user_data: 'granted', ad_storage: 'denied' }])).toEqual({
    ad_user_data: 'denied',
  })
  expect(consentMode(zone, ['update', { ad_storage: 'granted' }])).toEqual({})
  expect(consentMode(zone, ['update', { analytics_storage: 'yes', ad_user_data: 1 }])).toEqual({})
})

test('entries of dataLayer that are no command are skipped', () => {
  const entries = [
    null,
    1,
    'consent',
    {},
    [],
    { event: 'x' },
    ['consent'],
    ['consent', 'set', {}],
    ['set', 'default', {}],
  ]
  expect(entries.map(toConsentCommand)).toEqual(entries.map(() => undefined))
  expect(toConsentCommand({ 0: 'consent', 1: 'update', 2: null })).toEqual({ action: 'update', values: {} })
})

test.each([
  ['Europe/Berlin', [{ region: ['DE', 'FR'] }, 'denied'], [{}, 'granted'], 'pending'],
  ['America/New_York', [{ region: ['DE', 'FR'] }, 'denied'], [{}, 'granted'], 'granted'],
  ['Atlantic/Canary', [{ region: ['ES'] }, 'denied'], [{}, 'granted'], 'pending'],
  ['America/New_York', [{ region: ['US'] }, 'granted'], [{}, 'denied'], 'granted'],
  ['America/Los_Angeles', [{ region: ['US'] }, 'granted'], [{ region: ['US-CA'] }, 'denied'], 'pending'],
  ['Europe/Berlin', [{ region: ['US'] }, 'granted'], [{}, 'denied'], 'pending'],
  // The zone does not tell the country: its denial applies, its grant does not.
  ['Europe/Paris', [{ region: ['DE'] }, 'granted'], [{}, 'denied'], 'pending'],
  ['Asia/Tokyo', [{ region: ['BR'] }, 'denied'], [{}, 'granted'], 'pending'],
  ['Asia/Tokyo', [{ region: ['BR'] }, 'granted'], [{}, 'denied'], 'pending'],
  ['', [{}, 'granted'], [{}, 'denied'], 'pending'],
  ['', [{ region: 'DE' }, 'granted'], [{}, 'denied'], 'pending'],
] as const)('consent mode in %s: %j, %j is %s', (zone, first, second, expected) => {
  const calls = [first, second].map(([where, state]): [string, Record<string, unknown>] => [
    'default',
    { ...where, analytics_storage: state },
  ])
  expect(consentMode(zone, ...calls)).toEqual({ statistics: expected })
  expect(consentMode(zone, ...calls.toReversed())).toEqual({ statistics: expected })
})

test('TCF: purposes of a stored or completed choice, and no effect where the law does not apply', () => {
  const data = (consents: number[], more = {}) => ({
    gdprApplies: true,
    eventStatus: 'useractioncomplete',
    purpose: { consents: Object.fromEntries(consents.map((purpose) => [purpose, true])) },
    ...more,
  })
  expect(readTcf(data([1, 3, 4, 7, 8]))).toEqual(reading('granted', 'granted', 'granted'))
  expect(readTcf(data([1, 9, 3]))).toEqual(reading('granted', 'denied', 'denied'))
  expect(readTcf(data([7, 8]))).toEqual(reading('denied', 'denied', 'denied'))
  expect(readTcf(data([8], { purposeOneTreatment: true, eventStatus: 'tcloaded' }))).toEqual(
    reading('granted', 'denied', 'denied'),
  )
  for (const waiting of [
    undefined,
    data([1, 8], { eventStatus: 'cmpuishown' }),
    data([1, 8], { gdprApplies: undefined }),
  ])
    expect(readTcf(waiting)).toEqual(reading('pending', 'pending', 'pending'))
  expect(readTcf({ gdprApplies: false, eventStatus: 'cmpuishown' })).toEqual({})
})

test('Shopify: what is stated, else what is allowed, else a wait', () => {
  const store = (stated: Record<string, string>, allowed = false) =>
    readShopify({
      currentVisitorConsent: () => ({
        marketing: '',
        analytics: '',
        preferences: '',
        sale_of_data: '',
        ...stated,
      }),
      analyticsProcessingAllowed: () => allowed,
      marketingAllowed: () => allowed,
      saleOfDataAllowed: () => allowed,
    })
  expect(store({})).toEqual(reading('pending', 'pending', 'pending'))
  expect(store({}, true)).toEqual(reading('granted', 'granted', 'granted'))
  expect(store({ marketing: 'yes', sale_of_data: 'no', analytics: 'yes' })).toEqual(
    reading('granted', 'denied', 'granted'),
  )
  expect(store({ marketing: 'no', sale_of_data: 'yes', analytics: 'no' }, true)).toEqual(
    reading('denied', 'denied', 'denied'),
  )
  expect(readShopify(undefined)).toEqual(reading('pending', 'pending', 'pending'))
  expect(readShopify({})).toEqual(reading('pending', 'pending', 'pending'))
})

test('WP Consent API: allowed, denied by its cookie, else a wait', () => {
  const wp = (allowed: string[], denied: string[] = []) =>
    readWp(
      (category) => allowed.includes(category),
      (category) => (denied.includes(category) ? 'deny' : undefined),
    )
  expect(wp(['statistics', 'marketing'])).toEqual(reading('granted', 'granted', 'granted'))
  expect(wp(['statistics'], ['marketing'])).toEqual(reading('granted', 'denied', 'denied'))
  expect(wp([])).toEqual(reading('pending', 'pending', 'pending'))
})

test('paths are excluded by patterns', () => {
  const excluded = (path: string) => isExcludedPath(path, '/admin*, /preview/*/x ,, /a.b')
  expect(['/admin', '/admin/users', '/preview/1/x', '/a.b'].map(excluded)).toEqual([true, true, true, true])
  expect(['/', '/shop/admin', '/preview/x', '/axb', '/a.bc'].map(excluded)).toEqual(Array(5).fill(false))
})

/** A second implementation: walks the sources from the weakest to the strongest, each overwriting the one before. */
function reference(given: Statements): Record<Purpose, State | undefined> & { gpc: boolean } {
  const result: Record<Purpose, State | undefined> = {
    statistics: given.attribute,
    ad_user_data: undefined,
    ad_personalization: undefined,
  }
  for (const purpose of purposes) {
    const said = Object.values(given.banners).map((reading) => reading[purpose])
    const waits = said.includes('pending')
    if (waits && result[purpose] !== 'denied') result[purpose] = 'pending'
    const before =
      purpose === 'statistics'
        ? given.remembered.statistics
          ? 'granted'
          : undefined
        : given.remembered.ads[purpose]
    if (before !== undefined && !(purpose === 'statistics' && given.attribute === 'denied'))
      result[purpose] = before
    if (said.includes('granted')) result[purpose] = 'granted'
    if (said.includes('denied')) result[purpose] = 'denied'
    if (given.page === undefined) continue
    if (purpose === 'statistics') result[purpose] = given.page.statistics
    else if (given.page.ads === undefined) result[purpose] = given.remembered.ads[purpose]
    else result[purpose] = given.page.ads ? 'granted' : 'denied'
  }
  if (!given.gpc) return { ...result, gpc: false }
  const isNow =
    given.page === undefined
      ? Object.values(given.banners).some((r) => r.ad_user_data === 'granted')
      : given.page.ads === true
  if (given.isLiftable && result.ad_user_data === 'granted' && (isNow || given.wasLifted))
    return { ...result, gpc: false }
  return { ...result, ad_user_data: 'denied', ad_personalization: 'denied', gpc: true }
}

const stateOrNothing = fc.option(fc.constantFrom(...states), { nil: undefined })
const readings = fc.record({
  statistics: stateOrNothing,
  ad_user_data: stateOrNothing,
  ad_personalization: stateOrNothing,
})
const stored = fc.option(fc.constantFrom('granted' as const, 'denied' as const), { nil: undefined })
const statements: fc.Arbitrary<Statements> = fc.record({
  gpc: fc.boolean(),
  isLiftable: fc.boolean(),
  wasLifted: fc.boolean(),
  page: fc.option(
    fc.record({ statistics: fc.constantFrom(...states), ads: fc.option(fc.boolean(), { nil: undefined }) }),
    { nil: undefined },
  ),
  banners: fc.dictionary(
    fc.constantFrom<Banner>('tcf', 'consent_mode', 'shopify', 'wp'),
    readings,
  ) as fc.Arbitrary<Statements['banners']>,
  remembered: fc.record({
    statistics: fc.boolean(),
    ads: fc.record({ ad_user_data: stored, ad_personalization: stored }),
  }),
  attribute: fc.constantFrom(...states),
})

test('random statements: the decision is that of the reference, and a refusal by the signal always holds', () => {
  fc.assert(
    fc.property(statements, (given) => {
      const { states: decided, isGpcHonored, signals } = decide(given)
      expect({ ...decided, gpc: isGpcHonored }).toEqual(reference(given))
      if (given.gpc && !given.isLiftable) expect(decided.ad_user_data).toBe('denied')
      expect(signals.length).toBeLessThanOrEqual(8)
    }),
    { numRuns: 500 },
  )
})

test('commands of consent mode in any order among others: as read alone', () => {
  const command = fc.record({
    action: fc.constantFrom('default' as const, 'update' as const),
    values: fc.dictionary(
      fc.constantFrom('ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage'),
      fc.constantFrom('granted', 'denied', 'maybe'),
    ),
  })
  fc.assert(
    fc.property(fc.array(command, { minLength: 1 }), (commands: ConsentCommand[]) => {
      const got = readConsentMode(commands, 'Europe/Berlin')!
      const last = (name: string) =>
        commands
          .filter(({ action, values }) => action === 'update' && /granted|denied/.test(String(values[name])))
          .at(-1)?.values[name]
      if (last('analytics_storage') !== undefined) expect(got.statistics).toBe(last('analytics_storage'))
      if (last('ad_storage') === 'denied' || last('ad_user_data') === 'denied')
        expect(got.ad_user_data).toBe('denied')
      // Nothing is granted that no command grants.
      const grants = new Set(
        commands.flatMap(({ values }) => Object.keys(values).filter((name) => values[name] === 'granted')),
      )
      if (!grants.has('ad_user_data')) expect(got.ad_user_data).not.toBe('granted')
      if (!grants.has('analytics_storage')) expect(got.statistics).not.toBe('granted')
    }),
    { numRuns: 300 },
  )
})
