/** Prints the progress of the demo's first sync until the demo is ready. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../../context.ts'
import { readSources } from './queries.ts'
import { demoProviders } from './seed.ts'

const POLL_INTERVAL_MS = 500
const MAX_POLLS = 1200

export async function showDemoProgress(
  service: Service,
  profileId: string,
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<void> {
  let printed = ''
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const progress = await readSources(service.db, { profileId }).catch(() => undefined)
    // The service is stopping, or the database is unavailable.
    if (progress === undefined) return
    const isRead = progress.read === demoProviders.length && progress.waiting === 0
    const done = isRead && progress.jobs === 0
    const text = done
      ? `  Demo ready: ${service.config.BASE_URL}\n\n`
      : isRead
        ? '  Preparing the demo: scoring its past\n'
        : `  Preparing the demo: ${progress.read} of ${demoProviders.length} sources read\n`
    if (text !== printed) write(text)
    printed = text
    if (done) return
    await delay(POLL_INTERVAL_MS, undefined, { ref: false })
  }
}
