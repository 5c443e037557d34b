/** Job names and payloads for enqueueing; the handlers are in `jobs.ts`. */
import { z } from 'zod'

export const DELIVERY_ATTEMPTS = 5

export const deliverRef = {
  name: 'briefs.deliver',
  payload: z.object({ profile_id: z.uuid(), delivery_id: z.uuid() }),
  maxAttempts: DELIVERY_ATTEMPTS,
}
