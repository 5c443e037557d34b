/** Adds `reconnect_url` to errors that require a reconnect, if the caller may create hand-offs. */
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { reconnectUrl } from '../handoffs/operations.ts'
import type { ConnectionRow } from './queries.ts'

export async function withReconnectUrl(
  context: ProfileContext,
  row: ConnectionRow,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.extras.reconnect_required !== true) return error
  const url = await reconnectUrl(context, row)
  if (url === null) return error
  return new ApiError(error.code, error.message, { ...error.extras, reconnect_url: url, cause: error.cause })
}
