/** Name and payload only; the implementation is in the insights wing. */
import { z } from 'zod'
import type { Connector } from '../../../connectors/connector.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'

export const readStudiesJob = {
  name: 'experiments.read',
  payload: z.object({ profile_id: z.uuid(), connection_id: z.uuid() }),
}

/** Queued after the first complete sync of an account; later, its studies are read once a day. */
export async function queueStudies(
  tx: Tx,
  connector: Pick<Connector, 'experiments'> | undefined,
  { profileId, connectionId }: { profileId: string; connectionId: string },
): Promise<void> {
  if (connector?.experiments === undefined) return
  await enqueue(
    tx,
    readStudiesJob,
    { profile_id: profileId, connection_id: connectionId },
    { profileId, dedupeKey: connectionId, priority: 'bulk' },
  )
}
