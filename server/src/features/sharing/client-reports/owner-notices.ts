/** Queues a mail to the workspace's owners about a report that clients expect, in the transaction that changes its status. */
import type { ProfileRef } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { notifyOwnersRef } from './job-names.ts'

const subjects = {
  held: (name: string) => `Report of ${name} is held`,
  skipped: (name: string) => `Report of ${name} was not sent`,
  failed: (name: string) => `Report of ${name} failed`,
  awaitsApproval: (name: string) => `Report of ${name} needs your approval`,
}

export async function notifyOwners(
  tx: Tx,
  profile: Pick<ProfileRef, 'name' | 'workspaceId'>,
  notice: { event: keyof typeof subjects; why: string },
): Promise<void> {
  const subject = subjects[notice.event](profile.name)
  const lines = [`${subject}.`, notice.why, 'All reports are in the console under Reports.']
  const payload = { workspace_id: profile.workspaceId, subject, text: `${lines.join('\n\n')}\n` }
  await enqueue(tx, notifyOwnersRef, payload)
}
