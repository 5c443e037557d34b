/**
 * A shop posts its API keys to the callback address before it redirects the person back. They are stored encrypted in the
 * hand-off for the attempt named by the state. Only the person's own callback uses them; alone they connect nothing.
 */
import type { Deposit } from '../../../connectors/connector.ts'
import { readJsonBody } from '../../../connectors/signatures.ts'
import type { Service } from '../../../context.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import type { PageReply, PageRequest } from '../../../platform/http/page-route.ts'
import { openText, seal } from '../../../platform/secrets/seal.ts'
import { type HandoffRow, saveDeposit } from '../handoffs/queries.ts'
import { readState, STATE_LIFE_MS } from '../handoffs/token.ts'

const depositCell = (id: string) => ({ table: 'handoffs', row: id, column: 'deposit', profileId: null })

const reply = (status: number, code: string): PageReply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(status === 200 ? { ok: true } : { error: { code } }),
})

export async function receiveDeposit(service: Service, request: PageRequest): Promise<PageReply> {
  const provider = request.params.provider ?? ''
  const connector = service.providers.get(provider)?.connector
  if (connector?.oauth.readDeposit === undefined) return reply(404, 'not_found')
  const deposit = connector.oauth.readDeposit(readJsonBody(request.bytes))
  const attempt = readState(service.keyring, deposit?.state)
  if (deposit === null || attempt === undefined || attempt.provider !== provider)
    return reply(400, 'invalid_request')
  const now = await databaseNow(service.db)
  if (now.getTime() - attempt.issuedAt.getTime() > STATE_LIFE_MS) return reply(400, 'invalid_request')
  const content = JSON.stringify({ attempt: attempt.attempt, fields: deposit.fields })
  const sealed = seal(service.keyring, depositCell(attempt.handoffId), content)
  const isStored = await saveDeposit(service.db, { id: attempt.handoffId, provider, sealed, now })
  return isStored ? reply(200, '') : reply(400, 'invalid_request')
}

/** The fields posted for this attempt; empty if another attempt's keys replaced them. */
export function depositOf(service: Service, handoff: HandoffRow, attempt: string): Deposit {
  if (handoff.deposit === null) return {}
  const content = JSON.parse(openText(service.keyring, depositCell(handoff.id), handoff.deposit)) as {
    attempt: string
    fields: Deposit
  }
  return content.attempt === attempt ? content.fields : {}
}
