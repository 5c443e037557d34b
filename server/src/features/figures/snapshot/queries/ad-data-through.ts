/** The last day with complete ad data, per source. */
import { sql } from 'kysely'
import { adProviders } from '../../../../platform/contract/ad-providers.ts'
import { addDays } from '../../../../platform/contract/dates.ts'
import { localDay } from '../../../../platform/contract/zones.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** Imports whose last day is longer ago are not expected to continue and are ignored. */
const ENDED_IMPORT_DAYS = 35

export type AdDataThrough = { name: string; through: string | null }

/**
 * An account is complete up to the last day (in its time zone) that had ended when its last complete sync began; an
 * import up to its last day. Imports are considered up to `day`.
 */
export async function listAdDataThrough(
  db: Db | Tx,
  params: { profile: { id: string; timezone: string }; day: string },
): Promise<AdDataThrough[]> {
  const { id: profileId, timezone } = params.profile
  const { rows: accounts } = await sql<{
    provider: string
    name: string
    timezone: string | null
    complete_until: Date | null
  }>`
    select c.provider, c.display_name as name, c.timezone, y.complete_until
    from connections c
    left join connection_syncs y on y.profile_id = ${profileId} and y.connection_id = c.id
    where c.profile_id = ${profileId} and c.provider = any(${[...adProviders]}::text[]) and c.status <> 'revoked'
    order by c.provider, c.id`.execute(db)
  const { rows: imports } = await sql<{ name: string; through: string }>`
    select source as name, max(day) as through from delivery_daily
    where profile_id = ${profileId} and level = 'campaign' and source is not null
      and day between ${addDays(params.day, -ENDED_IMPORT_DAYS)}::date and ${params.day}::date
    group by source order by source`.execute(db)
  const connected = new Set(accounts.map(({ provider }) => provider))
  return [
    ...accounts.map((account) => ({
      name: account.name,
      through:
        account.complete_until === null
          ? null
          : addDays(localDay(account.complete_until, account.timezone ?? timezone), -1),
    })),
    ...imports.filter(({ name }) => !connected.has(name)),
  ]
}
