/** Shared by both mail vendors: composes a mail within a size limit, and keeps its content out of errors. */
import { composeMime } from '../platform/mail/compose.ts'
import { ProviderError } from './connector.ts'
import { MESSAGE_TOO_LARGE, type OutgoingMail } from './mailbox.ts'

export async function composeWithin(
  mail: OutgoingMail,
  from: { name: string; address: string },
  maxBytes: number,
): Promise<Buffer> {
  const mime = await composeMime({ ...mail, from })
  if (mime.length <= maxBytes) return mime
  throw new ProviderError(
    'rejected',
    `The mail has ${mime.length} bytes, which is too large to send from the mailbox`,
    {
      providerCode: MESSAGE_TOO_LARGE,
    },
  )
}

/** Drops the vendor's error message if it repeats a part of the mail. */
export async function redactMail<T>(call: Promise<T>, mail: OutgoingMail): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { reason, message, providerCode, providerMessage, retryAfterSeconds } = error
    const safeMessage = providerMessage !== null && repeats(providerMessage, mail) ? null : providerMessage
    throw new ProviderError(reason, message, {
      providerCode,
      providerMessage: safeMessage,
      retryAfterSeconds,
    })
  }
}

const MIN_PART_LENGTH = 4

const repeats = (message: string, { subject, text, to }: OutgoingMail): boolean =>
  [subject, ...text.split('\n'), ...to].some((part) => {
    const content = part.trim().toLowerCase()
    return content.length >= MIN_PART_LENGTH && message.toLowerCase().includes(content)
  })
