/** Owner decisions about data sharing of healthcare profiles, and the mail to the owners. */
import type { ProfileContext } from '../../../../context.ts'
import { mailOwners } from '../../../../platform/access/owner-mail.ts'
import type { Tx } from '../../../../platform/db/database.ts'

/** Queues the mail in the transaction of the decision. */
export async function mailDecision(
  tx: Tx,
  context: ProfileContext,
  decision: { subject: string; lines: readonly string[] },
): Promise<void> {
  const { profile, service } = context
  await mailOwners(tx, {
    workspaceId: profile.workspaceId,
    actor: context.caller,
    subject: decision.subject,
    lines: [
      ...decision.lines,
      `View or change the settings: ${service.config.BASE_URL}/p/${profile.id}/exports`,
    ],
  })
}
