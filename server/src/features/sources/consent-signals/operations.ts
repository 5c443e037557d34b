import type { ProfileContext, Service } from '../../../context.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import { onEveryShard } from '../../../platform/db/shards/every-shard.ts'
import { type ConsentCount, listConsentCounts } from '../../facts/consents/daily.ts'
import { listExcluded } from '../tracking/excluded-queries.ts'
import { listWithheld } from '../tracking/queries.ts'
import { OWN_TOKEN_MS, signOwnToken } from './own-token.ts'
import { type DomainPolicy, listDomainPolicies } from './queries.ts'

const DEFAULT_DAYS = 30
const MAX_DAYS = 366
const FIRST_DAY = '1970-01-01'

export async function getTrackingConsent(
  context: ProfileContext,
  query: { date_from?: string | undefined; date_to?: string | undefined },
) {
  const { db, profile } = context
  const to = query.date_to ?? localDay(context.now, profile.timezone)
  const from = query.date_from ?? (to < FIRST_DAY ? to : addDays(to, 1 - DEFAULT_DAYS))
  if (from < FIRST_DAY || from > to || addDays(from, MAX_DAYS - 1) < to)
    throw new ApiError(
      'invalid_date_range',
      `must not be before 1970 or after date_to, and the range at most ${MAX_DAYS} days.`,
      { field: 'date_from' },
    )
  const range = { profileId: profile.id, from, to }
  const counts = await listConsentCounts(db, range)
  const withheld = await listWithheld(db, {
    profileId: profile.id,
    since: dayBounds(from, profile.timezone).start,
    until: dayBounds(to, profile.timezone).end,
  })
  const sessions = sumOf(counts, 'statistics', ({ sessions }) => sessions)
  const data = {
    days: counts.filter(isStatement),
    withheld: withheld.map(({ value_minor: valueMinor, ...row }) => ({
      ...row,
      value: valueMinor === null ? null : toDecimalNumber(valueMinor, profile.currency),
    })),
    pending_share: sessions === 0 ? null : sumOf(counts, 'held', ({ sessions }) => sessions) / sessions,
    conflicts: sumOf(counts, 'conflict', ({ events }) => events),
    excluded: await listExcluded(db, range),
  }
  return { data, meta: { date_from: from, date_to: to } }
}

type Purpose = 'statistics' | 'ad_user_data' | 'ad_personalization'
type Statement = ConsentCount & { purpose: Purpose; state: 'granted' | 'denied' }

const isStatement = (row: ConsentCount): row is Statement => row.state === 'granted' || row.state === 'denied'

const sumOf = (counts: readonly ConsentCount[], purpose: string, of: (row: ConsentCount) => number) =>
  counts.reduce((sum, row) => sum + (row.purpose === purpose ? of(row) : 0), 0)

export async function createOwnBrowserLink(
  context: ProfileContext,
  body: { url: string; is_own: boolean },
): Promise<{ url: string; expires_at: Date }> {
  const { service, profile } = context
  const expiresAt = new Date(service.clock.now().getTime() + OWN_TOKEN_MS)
  const signer = { profileId: profile.id, pepper: service.identityPepper }
  const url = new URL(body.url)
  url.searchParams.set('whence_own', signOwnToken(body.is_own, expiresAt, signer))
  return { url: url.href, expires_at: expiresAt }
}

/** The policy of a domain; undefined if no profile has verified it, or one does not honor every signal. */
export async function findPolicyOf(service: Service, domain: string): Promise<{ since: string } | undefined> {
  const policies: DomainPolicy[] = []
  await onEveryShard(
    service.nodes,
    async (db) => void policies.push(...(await listDomainPolicies(db, { domain }))),
    (error, node) =>
      service.log.warn('database node unavailable: its domains were skipped', { node: node.name, error }),
  )
  if (policies.length === 0 || policies.some(({ gpc }) => gpc !== 'honor')) return undefined
  return {
    since: policies
      .map(({ since }) => since)
      .sort()
      .at(-1)!,
  }
}
