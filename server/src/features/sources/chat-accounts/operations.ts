/** Files and numbers of the connected chat account. Everything is read from the platform and not stored. */
import type { z } from 'zod'
import type { ReceivedFile } from '../../../connectors/chat-media.ts'
import { type Connector, ProviderError, type Session } from '../../../connectors/connector.ts'
import { toProviderError } from '../../../connectors/provider-http.ts'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toProviderApiError } from '../connections/session.ts'
import { getAccount, revokedError, withAccount } from '../messaging-accounts/session.ts'
import type {
  ChatNumber,
  requestChatCode as codeEntry,
  registerChatNumber as registerEntry,
} from './contract.ts'
import { readCapturedCode } from './otp-relay.ts'
import type { Upload } from './upload.ts'

/** Longer than for other calls, because files may be large. */
const MEDIA_BUDGET_MS = 60_000
const CALL_BUDGET_MS = 10_000

export async function withChat<T>(
  context: ProfileContext,
  budgetMs: number,
  work: (session: Session, connector: Connector, accountId: string) => Promise<T>,
  mapError: (error: ProviderError) => ApiError | null = () => null,
): Promise<T> {
  const account = await getAccount(context, 'chatapp')
  try {
    return await withAccount(context, account, budgetMs, (session, { connector }) =>
      work(session, connector, account.external_id),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.reason === 'invalid_grant') throw await revokedError(context, account, error)
    throw mapError(error) ?? toProviderApiError(error)
  }
}

export async function uploadChatMedia(context: ProfileContext, file: Upload) {
  const send = async (session: Session, connector: Connector, accountId: string) => {
    const [number] = await connector.chat!.listNumbers(session, accountId)
    if (number === undefined) throw new ApiError('connection_not_ready', 'The chat account has no number.')
    return connector.chat!.uploadMedia(session, number.id, file)
  }
  // An invalid form aborts the request to the platform, which then looks like a failure of the platform.
  const mediaId = await withChat(context, MEDIA_BUDGET_MS, send, () => file.problem())
  return { media_id: mediaId }
}

export async function getChatMedia(context: ProfileContext, mediaId: string): Promise<ReceivedFile> {
  const read = (session: Session, connector: Connector) => connector.chat!.readMedia(session, mediaId)
  const file = await withChat(context, MEDIA_BUDGET_MS, read, mediaError)
  return { ...file, chunks: withApiErrors(file.chunks) }
}

async function* withApiErrors(chunks: AsyncIterable<Uint8Array>) {
  try {
    yield* chunks
  } catch (error) {
    throw toProviderApiError(toProviderError(error))
  }
}

export function mediaError(error: ProviderError): ApiError | null {
  if (error.reason === 'not_found')
    return new ApiError('media_expired', 'The platform no longer serves this file.', { cause: error })
  const isTooLarge = error.reason === 'asks_for_less' || error.providerCode === 'too_large'
  return isTooLarge
    ? new ApiError('payload_too_large', 'The file is larger than 100 MB.', { cause: error })
    : null
}

export const listChatNumbers = (context: ProfileContext): Promise<z.input<typeof ChatNumber>[]> =>
  withChat(context, CALL_BUDGET_MS, (session, connector, accountId) =>
    connector.chat!.listNumbers(session, accountId),
  )

/** Only numbers of the connected account are accepted. */
async function getNumber(session: Session, connector: Connector, accountId: string, numberId: string) {
  const number = (await connector.chat!.listNumbers(session, accountId)).find(({ id }) => id === numberId)
  if (number === undefined) throw new ApiError('not_found', 'The chat account has no such number.')
  return number
}

export const refusedAs = (field: string) => (error: ProviderError) =>
  error.reason === 'rejected'
    ? new ApiError('validation_error', 'the platform does not accept this value.', {
        field,
        cause: error,
        ...(error.providerCode === null ? {} : { provider_code: error.providerCode }),
      })
    : null

export async function requestChatCode(
  context: ProfileContext,
  numberId: string,
  body: z.output<(typeof codeEntry)['body'] & object>,
) {
  const work = async (session: Session, connector: Connector, accountId: string) => {
    await getNumber(session, connector, accountId, numberId)
    await connector.chat!.requestCode(session, numberId, body)
  }
  await withChat(context, CALL_BUDGET_MS, work, refusedAs('method'))
  return { id: numberId, done: true as const }
}

/** "Error codes" of the WhatsApp Business Platform, updated 2026-05-15, read on 2026-11-17. */
const REGISTER_LIMIT = '133016'
const LIMIT_SECONDS = 72 * 3600

export async function registerChatNumber(
  context: ProfileContext,
  numberId: string,
  body: z.output<(typeof registerEntry)['body'] & object>,
) {
  const verify = async (session: Session, connector: Connector, accountId: string) => {
    const number = await getNumber(session, connector, accountId, numberId)
    const code = body.code ?? (await readCapturedCode(context.service, number.number))
    if (code !== null) await connector.chat!.verifyCode(session, numberId, code)
  }
  await withChat(context, CALL_BUDGET_MS, verify, refusedAs('code'))
  const register = (session: Session, connector: Connector) =>
    connector.chat!.register(session, numberId, body.pin)
  await withChat(context, CALL_BUDGET_MS, register, (error) =>
    error.providerCode === REGISTER_LIMIT
      ? new ApiError(
          'chatapp_register_limit',
          'The platform allows 10 registrations of a number in 72 hours.',
          { cause: error, provider_code: REGISTER_LIMIT, retryAfter: LIMIT_SECONDS },
        )
      : refusedAs('pin')(error),
  )
  return { id: numberId, done: true as const }
}
