/** Each change of how an account signs in is mailed to the person and recorded in the workspaces of the person. */
import type { AnyContext, Caller } from '../../../context.ts'
import { recordChange } from '../../audit/record.ts'
import type { Tx } from '../../db/database.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { mailAccount } from '../mail-job.ts'
import type { SecurityChange } from '../mails.ts'
import { listWorkspacesOfPerson } from './queries.ts'

export async function reportSecurityChange(
  tx: Tx,
  context: Pick<AnyContext, 'now'> & { requestId?: string; caller?: Caller },
  change: { userId: string; what: SecurityChange; name?: string },
): Promise<void> {
  const { userId, what, name } = change
  for (const workspaceId of await listWorkspacesOfPerson(tx, { userId }))
    await recordChange(tx, context, {
      workspaceId,
      action: `sign_in.${what}`,
      subject: userId,
      detail: name === undefined ? {} : { name },
    })
  await enqueue(tx, mailAccount, { about: 'security', user_id: userId, what, ...(name && { name }) })
}
