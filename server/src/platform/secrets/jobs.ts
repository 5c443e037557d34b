import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../contract/job.ts'
import { forAllProfiles } from '../jobs/all-profiles.ts'
import { resealAll } from './reseal.ts'

const reseal = job({
  name: 'secrets.reseal',
  payload: z.object({}),
  slow: true,
  async run(context: JobContext) {
    const { db, service, log, signal } = context
    let { resealed, unreadable } = await resealAll(db, service.keyring, { signal, of: 'service' })
    await forAllProfiles(context, async (shard) => {
      const result = await resealAll(shard, service.keyring, { signal, of: 'profiles' })
      resealed += result.resealed
      unreadable += result.unreadable
    })
    if (resealed > 0) log.info('stored secrets re-encrypted with the current master key', { count: resealed })
    if (unreadable > 0)
      log.error('stored secrets cannot be decrypted: a master key is missing from MASTER_KEYS', {
        count: unreadable,
      })
  },
})

export const secretJobs: readonly Job[] = [reseal]
export const secretSchedules: readonly Schedule[] = [
  { name: 'secrets.reseal', job: reseal, rule: { everySeconds: 300 } },
]
