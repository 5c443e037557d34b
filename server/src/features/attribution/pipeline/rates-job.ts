/** Imports the reference rates of FX_RATES_SOURCE, a URL or a file, at start and every six hours. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { OtherSystemError } from '../../../platform/db/other-system.ts'
import { readReferenceRates } from '../../facts/fx/reference-rates.ts'
import { importRates, reconvert } from './recompute-after-rates.ts'

const EVERY_SECONDS = 6 * 3600

const importReferenceRates = job({
  name: 'fx.import_rates',
  payload: z.object({}),
  async run(context: JobContext) {
    const source = context.service.config.FX_RATES_SOURCE
    if (source === undefined) return
    const text = /^https?:/.test(source)
      ? await download(context, source)
      : await readFile(source, 'utf8').catch(unreadable(source))
    const changed = await importRates(context.db, readReferenceRates(text), toRun(context))
    if (changed > 0) context.log.info('reference rates imported', { count: changed })
  },
})

const unreadable = (path: string) => (cause: Error) => {
  throw new OtherSystemError(`FX_RATES_SOURCE: ${path} cannot be read (${cause.message})`, { cause })
}

const toRun = ({ service: { clock, identityPepper } }: JobContext) => ({ clock, identityPepper })

async function download(context: JobContext, url: string): Promise<string> {
  const reply = await context.service.providerHttp.send({ method: 'GET', url, signal: context.signal })
  if (reply.status !== 200) throw new Error(`Download of the reference rates returned status ${reply.status}`)
  return new TextDecoder().decode(reply.bytes)
}

/** Queued when a member adds, changes or removes an exchange rate. */
export const reconvertJob = job({
  name: 'fx.convert_again',
  payload: z.object({ currency: z.string(), day: z.string() }),
  slow: true,
  async run(context: JobContext, scope) {
    await context.db.transaction().execute((tx) => reconvert(tx, context.profileId!, scope, toRun(context)))
  },
})

export const fxJobs: readonly Job[] = [importReferenceRates, reconvertJob]
export const fxSchedules: readonly Schedule[] = [
  {
    name: 'fx.import_rates',
    job: importReferenceRates,
    atStart: true,
    rule: { everySeconds: EVERY_SECONDS },
  },
]
