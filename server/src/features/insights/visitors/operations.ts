import { identifierKinds } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { type Pagination, readTimeCursor, toPage } from '../../../platform/contract/page.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { describeTouches } from '../../attribution/crediting/describe-touches.ts'
import type { getRealtime as getRealtimeEntry, Visitor } from './contract.ts'
import * as queries from './queries.ts'
import { summarise, WINDOW_MINUTES, windowStart } from './rules.ts'

const ANONYMOUS = identifierKinds.indexOf('anonymous_id')
const MAX_EVENTS = 20_000
const MAX_CONVERSIONS = 10

export async function listVisitors(
  { db, profile }: ProfileContext,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ data: z.input<typeof Visitor>[]; pagination: Pagination }> {
  const fetched = await queries.listVisitors(db, {
    profileId: profile.id,
    after: accepted(readTimeCursor(query.cursor)),
    limit: query.limit + 1,
  })
  const { rows, pagination } = toPage(fetched, query.limit, (row) => [row.recorded_at.toISOString(), row.id])
  const describe = await describeTouches(db, profile.id, rows)
  return {
    data: rows.map((row) => {
      const { touch_id: _, reported: __, ...visit } = describe(row)
      return {
        identifier_id: row.identifier_id,
        customer_id: row.customer_id,
        is_identified: row.customer_kind < ANONYMOUS,
        last_visit: { ...visit, landing_path: row.landing_path, referrer_host: row.referrer_host },
      }
    }),
    pagination,
  }
}

export async function getRealtime({
  db,
  profile,
  now,
}: ProfileContext): Promise<z.input<(typeof getRealtimeEntry)['reply']>> {
  const window = {
    profileId: profile.id,
    from: windowStart(now),
    to: now,
  }
  const events = await queries.listArrived(db, { ...window, limit: MAX_EVENTS + 1 })
  const conversions = await queries.listRecentConversions(db, { ...window, limit: MAX_CONVERSIONS })
  return {
    as_of: now,
    window_minutes: WINDOW_MINUTES,
    is_sampled: events.length > MAX_EVENTS,
    ...summarise(events.slice(0, MAX_EVENTS), now),
    conversions: conversions.map((row) => ({
      conversion_id: row.id,
      outcome_type: row.outcome_type,
      revenue_type: row.revenue_type,
      occurred_at: row.occurred_at,
      value:
        row.value_minor === null || row.currency === null
          ? null
          : toDecimalNumber(row.value_minor, row.currency),
      currency: row.currency,
    })),
  }
}
