/** Prints how far the demo's first sync is, until the demo can be opened. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../../context.ts'
import { readSources } from './queries.ts'
import { demoProviders } from './seed.ts'

const LOOK_EVERY_MS = 500
const MAX_LOOKS = 1200

export async function showDemoProgress(
  service: Service,
  profileId: string,
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<void> {
  let said = ''
  for (let look = 0; look < MAX_LOOKS; look++) {
    const progress = await readSources(service.db, { profileId }).catch(() => undefined)
    // The service is stopping, or the database is away: nothing to print.
    if (progress === undefined) return
    const isRead = progress.read === demoProviders.length && progress.waiting === 0
    const done = isRead && progress.jobs === 0
    const text = done
      ? `  Demo ready: ${service.config.BASE_URL}\n\n`
      : isRead
        ? '  Preparing the demo: scoring its past\n'
        : `  Preparing the demo: ${progress.read} of ${demoProviders.length} sources read\n`
    if (text !== said) write(text)
    said = text
    if (done) return
    await delay(LOOK_EVERY_MS, undefined, { ref: false })
  }
}
