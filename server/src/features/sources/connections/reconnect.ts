/** An error that asks to connect again carries the link to do it, where the caller may have one. */
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
