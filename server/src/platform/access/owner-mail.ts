/** Mails all owners of a workspace about a decision on its data; enqueued in the transaction of the decision. */
import { z } from 'zod'
import type { Caller, JobContext } from '../../context.ts'
import { job } from '../contract/job.ts'
import type { Tx } from '../db/database.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { mailEach } from '../mail/mail-each.ts'
import { findAppName } from './queries.ts'
import { findUserById, listMailedOwners } from './user-queries.ts'

const Payload = z.object({
  workspace_id: z.uuid(),
  user_id: z.uuid().nullable(),
  app_id: z.uuid().nullable(),
  subject: z.string(),
  lines: z.array(z.string()),
})

/** Sends nothing if an app provisioned the workspace, because its people get no mail from the service. */
export const ownerMail = job({
  name: 'access.owner_mail',
  payload: Payload,
  async run({ service, db, jobId }: JobContext, payload) {
    const text = [...payload.lines, `Decided by ${await deciderName(db, payload)}.`].join('\n\n')
    const owners = await listMailedOwners(db, { workspaceId: payload.workspace_id })
    await mailEach(service, owners, {
      subject: payload.subject,
      text: `${text}\n`,
      messageId: jobId,
    })
  },
})

async function deciderName(db: JobContext['db'], payload: z.output<typeof Payload>): Promise<string> {
  if (payload.user_id !== null)
    return (await findUserById(db, { userId: payload.user_id }))?.email ?? 'a former member'
  if (payload.app_id === null) return 'an API key or an assistant'
  return `the app ${(await findAppName(db, { appId: payload.app_id })) ?? payload.app_id}`
}

export async function mailOwners(
  tx: Tx,
  mail: { workspaceId: string; actor: Caller; subject: string; lines: readonly string[] },
): Promise<void> {
  const { actor } = mail
  await enqueue(tx, ownerMail, {
    workspace_id: mail.workspaceId,
    user_id: actor.kind === 'user' ? actor.userId : null,
    app_id: actor.kind === 'key' || actor.kind === 'app' ? actor.appId : null,
    subject: mail.subject,
    lines: [...mail.lines],
  })
}
