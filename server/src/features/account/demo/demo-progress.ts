/** Prints how far the demo's first sync is, until the demo can be opened. */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Service } from '../../../context.ts'
import { demoProviders } from './seed.ts'

const LOOK_EVERY_MS = 500
const MAX_LOOKS = 1200

type DemoProgress = { read: number; waiting: number }

export async function showDemoProgress(
  service: Service,
  profileId: string,
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<void> {
  let said = ''
  for (let look = 0; look < MAX_LOOKS; look++) {
    const progress = await readProgress(service, profileId).catch(() => undefined)
    // The service is stopping, or the database is away: nothing to print.
    if (progress === undefined) return
    const done = progress.read === demoProviders.length && progress.waiting === 0
    const text = done
      ? `  Demo ready: ${service.config.BASE_URL}\n\n`
      : `  Preparing the demo: ${progress.read} of ${demoProviders.length} sources read\n`
    if (text !== said) write(text)
    said = text
    if (done) return
    await delay(LOOK_EVERY_MS, undefined, { ref: false })
  }
}

async function readProgress(service: Service, profileId: string): Promise<DemoProgress> {
  const { rows } = await sql<DemoProgress>`
    select count(last_success_at)::int as read,
      (select coalesce(sum(cardinality(event_ids)), 0)::int from event_queue where profile_id = ${profileId}) as waiting
    from connection_syncs where profile_id = ${profileId}`.execute(service.db)
  return rows[0]!
}
