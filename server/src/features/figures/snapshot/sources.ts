/** Freshness of the delivery sources: an ad account's last complete sync, an import's last day. */
import type { z } from 'zod'
import type { ProfileRef } from '../../../context.ts'
import { adProviders } from '../../../platform/contract/ad-providers.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import type { reportMeta } from '../definitions/fields.ts'
import { type ConnectedSource, connectedSources, deliveryThrough, type SourceDay } from './queries/sources.ts'

type Source = z.input<typeof reportMeta.freshness>['sources'][number]

/** An account syncs several times a day; a file is imported by hand. */
const ACCOUNT_STALE_AFTER_DAYS = 2
const IMPORT_STALE_AFTER_DAYS = 7

export async function listSources(
  tx: Tx,
  context: { profile: Pick<ProfileRef, 'id' | 'timezone'>; now: Date },
): Promise<Source[]> {
  const { id: profileId, timezone } = context.profile
  const today = localDay(context.now, timezone)
  const [accounts, delivered] = await pipelineReads(
    connectedSources(tx, { profileId, providers: adProviders }),
    deliveryThrough(tx, { profileId, to: today }),
  )
  return toSources(accounts, delivered, timezone, today)
}

/** Pure. A source with connected accounts is reported per account. */
export function toSources(
  accounts: readonly ConnectedSource[],
  delivered: readonly SourceDay[],
  timezone: string,
  today: string,
): Source[] {
  const connected = new Set(accounts.map(({ source }) => source))
  return [
    ...accounts.map(({ source, connection_id, name, last_success_at }) => {
      const through = last_success_at === null ? null : localDay(last_success_at, timezone)
      return {
        source,
        connection_id,
        name,
        through,
        stale: isStale(through, today, ACCOUNT_STALE_AFTER_DAYS),
      }
    }),
    ...delivered
      .filter(({ source }) => !connected.has(source))
      .map(({ source, day }) => ({
        source,
        connection_id: null,
        name: null,
        through: day,
        stale: isStale(day, today, IMPORT_STALE_AFTER_DAYS),
      })),
  ]
}

function isStale(through: string | null, today: string, days: number): boolean {
  return through === null || through < addDays(today, -days)
}
