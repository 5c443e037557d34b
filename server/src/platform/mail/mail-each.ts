import { createHash } from 'node:crypto'
import type { Mail, Mailer } from './mailer.ts'

/**
 * Sends one mail to each recipient. When a job runs again after a crash, every recipient gets the same Message-ID again, so
 * that mail programs show the mail once. A recipient that fails keeps the mail from no other; the job then retries.
 */
export async function mailEach(
  mailer: Mailer,
  recipients: readonly string[],
  { messageId, ...mail }: { subject: string; text: string; messageId: string },
): Promise<void> {
  const failures: unknown[] = []
  for (const to of recipients)
    await mailer.send({ ...mail, to, messageId: `${messageId}.${digestOf(to)}` }).catch((error) => {
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
}

/** By address and not by position: the list of recipients may change between two attempts. */
function digestOf(address: Mail['to']): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16)
}
