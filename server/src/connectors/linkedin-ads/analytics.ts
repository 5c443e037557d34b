/**
 * Delivery by day (adAnalytics). The report has no pages and is silently cut off at 15,000 rows, so a full response is
 * discarded and requested again in two halves of its days; a single day is split by campaign, each of which has at
 * most 100 creatives.
 */
import { z } from 'zod'
import { addDays, dayNumber } from '../../platform/contract/dates.ts'
import type { DeliveryStep, StepPage } from '../ad-account-steps.ts'
import { ProviderError, type Session } from '../connector.ts'
import { mapItems, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { callRest } from './calls.ts'
import { AdAccount, AnalyticsRow, idOfRow, type Level, metrics, toAttention, toDelivery } from './mapping.ts'
import { dayRecord, listOf, recordOf, urn } from './restli.ts'

const MAX_ROWS = 15_000
/** With 100 creatives each at most 10,000 rows per day. */
const CAMPAIGNS_PER_REPORT = 100

const Part = z.object({
  since: z.string(),
  until: z.string(),
  campaigns: z.array(z.string()).optional(),
})
type Part = z.infer<typeof Part>
const Parts = z.array(Part).min(1)

const pivots = { campaign: 'CAMPAIGN_GROUP', ad_set: 'CAMPAIGN', ad: 'CREATIVE' } as const
const Report = z.looseObject({ elements: z.array(z.unknown()) })
const Rows = z.array(parsedOrSetAside('delivery', AnalyticsRow))

async function readRows(session: Session, level: Level, { since, until, campaigns }: Part) {
  const { elements } = await callRest(session, '/adAnalytics', {
    query: {
      q: 'analytics',
      pivot: recordOf({ value: pivots[level] }),
      timeGranularity: recordOf({ value: 'DAILY' }),
      dateRange: recordOf({ start: dayRecord(since), end: dayRecord(until) }),
      ...(campaigns === undefined
        ? { accounts: listOf([urn('sponsoredAccount', session.accountId)]) }
        : { campaigns: listOf(campaigns.map((id) => urn('sponsoredCampaign', id))) }),
      fields: [...metrics, 'dateRange', 'pivotValues'].join(','),
    },
    schema: Report,
  })
  return elements
}

const tooMany = () =>
  new ProviderError(
    'asks_for_less',
    'LinkedIn cuts its reports off at 15,000 rows, and this one cannot be split further',
  )

async function divide(session: Session, level: Level, part: Part): Promise<Part[]> {
  const days = dayNumber(part.until) - dayNumber(part.since) + 1
  if (days > 1) {
    const middle = addDays(part.since, Math.floor(days / 2))
    return [
      { ...part, until: addDays(middle, -1) },
      { ...part, since: middle },
    ]
  }
  if (level !== 'ad' || part.campaigns !== undefined) throw tooMany()
  const rows = await readRows(session, 'ad_set', part)
  if (rows.length >= MAX_ROWS) throw tooMany()
  const campaigns = Rows.parse(rows)
  const ids = readableItems(campaigns).map((row) => idOfRow(row, 'ad_set'))
  // Creatives of a campaign without a readable id would be missing.
  if (ids.length === 0 || ids.length < rows.length) throw tooMany()
  return Array.from({ length: Math.ceil(ids.length / CAMPAIGNS_PER_REPORT) }, (_, index) => ({
    ...part,
    campaigns: ids.slice(index * CAMPAIGNS_PER_REPORT, (index + 1) * CAMPAIGNS_PER_REPORT),
  }))
}

/** An empty response means no activity or no access; without access, reading the account returns 403. */
async function checkAccess(session: Session): Promise<void> {
  await callRest(session, `/adAccounts/${encodeURIComponent(session.accountId)}`, { schema: AdAccount })
}

const toAfter = (parts: readonly Part[]): string | null => (parts.length === 0 ? null : JSON.stringify(parts))

export async function readDelivery(
  session: Session,
  step: DeliveryStep,
  at: { currency: string; after: string | null },
): Promise<StepPage> {
  const [part, ...rest] =
    at.after === null ? [{ since: step.since, until: step.until }] : Parts.parse(JSON.parse(at.after))
  const rows = await readRows(session, step.level, part!)
  if (rows.length >= MAX_ROWS)
    return { records: [], after: toAfter([...(await divide(session, step.level, part!)), ...rest]) }
  if (rows.length === 0) await checkAccess(session)
  const read = mapItems('delivery', Rows.parse(rows), (row) => [
    toDelivery(row, step.level, at.currency),
    ...(step.level === 'ad' ? [toAttention(row)] : []),
  ])
  return { ...read, after: toAfter(rest) }
}
