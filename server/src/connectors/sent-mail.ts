/** What sending takes at either vendor: the mail as bytes of a bounded size, and errors that hold nothing of it. */
import { composeMime } from '../platform/mail/compose.ts'
import { ProviderError } from './connector.ts'
import { type OutgoingMail, TOO_LARGE } from './mailbox.ts'

export async function composeWithin(
  mail: OutgoingMail,
  from: { name: string; address: string },
  maxBytes: number,
): Promise<Buffer> {
  const mime = await composeMime({ ...mail, from })
  if (mime.length <= maxBytes) return mime
  throw new ProviderError(
    'rejected',
    `A mail of ${mime.length} bytes is too large to send from the mailbox`,
    {
      providerCode: TOO_LARGE,
    },
  )
}

/** A vendor may repeat parts of a mail when it refuses it. */
export async function withoutMail<T>(call: Promise<T>, mail: OutgoingMail): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { reason, message, providerCode, providerMessage, retryAfterSeconds } = error
    const words = providerMessage !== null && repeats(providerMessage, mail) ? null : providerMessage
    throw new ProviderError(reason, message, { providerCode, providerMessage: words, retryAfterSeconds })
  }
}

const MIN_WORD = 4

const repeats = (words: string, { subject, text, to }: OutgoingMail): boolean =>
  [subject, ...text.split('\n'), ...to].some((part) => {
    const known = part.trim().toLowerCase()
    return known.length >= MIN_WORD && words.toLowerCase().includes(known)
  })
