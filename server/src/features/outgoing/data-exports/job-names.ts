import { z } from 'zod'

export const RUN_ATTEMPTS = 4

export const runRef = {
  name: 'data_exports.run',
  payload: z.object({ profile_id: z.uuid(), run_id: z.uuid() }),
  slow: true,
  maxAttempts: RUN_ATTEMPTS,
}
