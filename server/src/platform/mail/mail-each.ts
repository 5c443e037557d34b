import { createHash } from 'node:crypto'
import type { Log } from '../log.ts'
import type { Mail, Mailer } from './mailer.ts'

/**
 * Sends one mail to each recipient. A retried job uses the same Message-ID per recipient, so many mail programs
 * show the mail once. A failing recipient does not block the others; the job then retries, unless the mail server
 * rejected the address permanently.
 */
export async function mailEach(
  { mailer, log }: { mailer: Mailer; log: Log },
  recipients: readonly string[],
  { messageId, ...mail }: { subject: string; text: string; messageId: string },
): Promise<void> {
  const failures: unknown[] = []
  for (const to of recipients)
    await mailer.send({ ...mail, to, messageId: `${messageId}.${digestOf(to)}` }).catch((error) => {
      failures.push(error)
      if (isRejectedAddress(error)) log.warn('mail address permanently rejected')
    })
  const transientFailure = failures.find((error) => !isRejectedAddress(error))
  if (transientFailure !== undefined) throw transientFailure
  // A retry is safe, because no one has received the mail.
  if (failures.length > 0 && failures.length === recipients.length) throw failures[0]
}

/** The server's response to the address: 5xx is permanent (RFC 5321, 4.2.1). */
function isRejectedAddress(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
}

/** By address, not position, because the list of recipients may change between attempts. */
function digestOf(address: Mail['to']): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16)
}
