import { z } from 'zod'
import { job } from '../../../platform/contract/job.ts'
import { runSync } from './sync.ts'

export const syncConnection = job({
  name: 'connections.sync',
  payload: z.object({ profile_id: z.uuid(), connection_id: z.uuid() }),
  slow: true,
  maxAttempts: 8,
  run: (context, payload) =>
    runSync(context, { profileId: payload.profile_id, connectionId: payload.connection_id }),
})
