/** Sends conversions to a destination's platform, with its connection or with the destination's own token. */
import {
  type ClearedConversion,
  type ExportReply,
  type ExportTarget,
  ProviderError,
} from '../../../../connectors/connector.ts'
import { exportConversions } from '../../../../connectors/shortvideo/exports.ts'
import type { Service } from '../../../../context.ts'
import { openText } from '../../../../platform/secrets/seal.ts'
import { ConnectionUnusable } from '../../../sources/connections/refresh.ts'
import { withSession } from '../../../sources/connections/session.ts'
import { tokenCell } from '../destinations/operations.ts'
import type { DestinationRow } from '../destinations/queries.ts'

export type Sender = (
  target: ExportTarget,
  conversions: ClearedConversion[],
  now: Date,
) => Promise<ExportReply>

/** The destination cannot be used until a person acts. */
export class SenderUnusable extends Error {
  readonly reason: string
  constructor(reason: string, options?: { cause?: unknown }) {
    super(`The destination cannot be used: ${reason}`, options)
    this.name = 'SenderUnusable'
    this.reason = reason
  }
}

export function openSender(service: Service, destination: DestinationRow): Sender {
  const send =
    destination.kind === 'shortvideo' ? byToken(service, destination) : byConnection(service, destination)
  return async (target, conversions, now) => {
    try {
      return await send(target, conversions, now)
    } catch (error) {
      throw toUnusable(error)
    }
  }
}

function byConnection(service: Service, destination: DestinationRow): Sender {
  const ref = { profileId: destination.profile_id, id: destination.connection_id! }
  return (target, conversions, now) =>
    withSession(service, ref, null, (session, { connector }) =>
      connector.exports!.send(session, target, conversions, now),
    )
}

function byToken(service: Service, destination: DestinationRow): Sender {
  const cell = tokenCell(destination.profile_id, destination.id)
  return (target, conversions) => {
    const accessToken = openText(service.keyring, cell, destination.access_token!)
    const session = { ...service.shortvideo, token: { accessToken } }
    return exportConversions(session, target, conversions)
  }
}

/** Errors that a retry does not fix. */
const permanentErrors: Partial<Record<ProviderError['reason'], string>> = {
  invalid_grant: 'authorization_lost',
  permission_missing: 'permission_missing',
  not_found: 'target_not_found',
  terms_not_accepted: 'terms_not_accepted',
}

function toUnusable(error: unknown): unknown {
  if (error instanceof ConnectionUnusable)
    return new SenderUnusable(error.status === 'revoked' ? 'connection_disconnected' : 'authorization_lost', {
      cause: error,
    })
  const reason = error instanceof ProviderError ? permanentErrors[error.reason] : undefined
  return reason === undefined ? error : new SenderUnusable(reason, { cause: error })
}
