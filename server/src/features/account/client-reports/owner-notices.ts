/** Mails the owners of a workspace what became of a report that clients wait for, from the transaction that decides it. */
import type { ProfileRef } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { notifyOwnersRef } from './job-names.ts'

const subjects = {
  held: (name: string) => `Report of ${name} is held`,
  skipped: (name: string) => `Report of ${name} was not sent`,
  failed: (name: string) => `Report of ${name} failed`,
  waits: (name: string) => `Report of ${name} waits for your approval`,
}

export async function notifyOwners(
  tx: Tx,
  profile: Pick<ProfileRef, 'name' | 'workspaceId'>,
  notice: { what: keyof typeof subjects; why: string },
): Promise<void> {
  const subject = subjects[notice.what](profile.name)
  const lines = [`${subject}.`, notice.why, 'You find all reports in the console under Reports.']
  const payload = { workspace_id: profile.workspaceId, subject, text: `${lines.join('\n\n')}\n` }
  await enqueue(tx, notifyOwnersRef, payload)
}
