/** Counts requests per credential and route in memory, and writes them to the database every few seconds. */

import { sql } from 'kysely'
import type { Service } from '../../context.ts'
import { DAY_MS } from '../contract/dates.ts'

export type UsageCounter = {
  count(credentialId: string, route: string, ok: boolean): void
  flush(): Promise<void>
}

type Tally = { credentialId: string; day: number; route: string; requests: number; errors: number }

export function createUsageCounter(service: Service): UsageCounter {
  let tallies = new Map<string, Tally>()
  return {
    count(credentialId, route, ok) {
      const day = Math.floor(service.clock.now().getTime() / DAY_MS)
      const key = `${credentialId} ${day} ${route}`
      const tally = tallies.get(key) ?? { credentialId, day, route, requests: 0, errors: 0 }
      tally.requests += 1
      if (!ok) tally.errors += 1
      tallies.set(key, tally)
    },
    async flush() {
      if (tallies.size === 0) return
      const rows = [...tallies.values()]
      tallies = new Map()
      await sql`
        insert into api_usage as usage (credential_id, day, route, requests, errors)
        select * from unnest(${rows.map((row) => row.credentialId)}::uuid[], ${rows.map((row) => new Date(row.day * DAY_MS).toISOString().slice(0, 10))}::date[],
          ${rows.map((row) => row.route)}::text[], ${rows.map((row) => row.requests)}::bigint[], ${rows.map((row) => row.errors)}::bigint[])
        on conflict (credential_id, day, route)
        do update set requests = usage.requests + excluded.requests,
        errors = usage.errors + excluded.errors`.execute(service.db)
    },
  }
}
