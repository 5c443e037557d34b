import { z } from 'zod'
import type { JobRef } from '../../../platform/jobs/enqueue.ts'

/** Name and payload of the job that sends queued conversions of a destination; the exports feature implements it. */
export const sendExports = {
  name: 'exports.send',
  payload: z.object({ destination_id: z.uuid() }),
  slow: true,
  maxAttempts: 20,
} satisfies JobRef<{ destination_id: string }>
