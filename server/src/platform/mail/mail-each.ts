import { createHash } from 'node:crypto'
import type { Log } from '../log.ts'
import type { Mail, Mailer } from './mailer.ts'

/**
 * Sends one mail to each recipient. When a job runs again, every recipient gets the same Message-ID again, by which many
 * mail programs show the mail once. A recipient that fails keeps the mail from no other; the job then retries, unless
 * the mail server refused the address for good.
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
      if (isRefusedAddress(error)) log.warn('mail address refused for good')
    })
  const passing = failures.find((error) => !isRefusedAddress(error))
  if (passing !== undefined) throw passing
  // No one would get a second mail.
  if (failures.length > 0 && failures.length === recipients.length) throw failures[0]
}

/** The server's answer to the address: 5xx is for good (RFC 5321, 4.2.1). */
function isRefusedAddress(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number }
  return command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500
}

/** By address and not by position: the list of recipients may change between two attempts. */
function digestOf(address: Mail['to']): string {
  return createHash('sha256').update(address).digest('hex').slice(0, 16)
}
