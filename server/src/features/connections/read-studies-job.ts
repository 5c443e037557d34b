/** Apart from how it is done: whoever connects an account queues it. */
import { z } from 'zod'

export const readOfConnection = {
  name: 'experiments.read',
  payload: z.object({ profile_id: z.uuid(), connection_id: z.uuid() }),
}
