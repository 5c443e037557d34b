import { z } from 'zod'
import type { JobRef } from '../../../platform/jobs/enqueue.ts'

/** Sends what waits for a destination; how is known to the exports only. */
export const sendExports = {
  name: 'exports.send',
  payload: z.object({ destination_id: z.uuid() }),
  slow: true,
  maxAttempts: 20,
} satisfies JobRef<{ destination_id: string }>
