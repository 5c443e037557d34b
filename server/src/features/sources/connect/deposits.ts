/**
 * A shop posts its keys to the callback address before it sends the person back. They are sealed into the hand-off, for
 * the attempt that the state names, and the person's own way back uses them: alone they connect nothing.
 */
import type { Deposit, Provider } from '../../../connectors/connector.ts'
import { readJsonBody } from '../../../connectors/signatures.ts'
import type { Service } from '../../../context.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import type { PageReply, PageRequest } from '../../../platform/http/page-route.ts'
import { openText, seal } from '../../../platform/secrets/seal.ts'
import { type HandoffRow, saveDeposit } from '../handoffs/queries.ts'
import { readState, STATE_LIFE_MS } from '../handoffs/token.ts'

const place = (id: string) => ({ table: 'handoffs', row: id, column: 'deposit', profileId: null })

const answer = (status: number, code: string): PageReply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(status === 200 ? { ok: true } : { error: { code } }),
})

export async function receiveDeposit(service: Service, request: PageRequest): Promise<PageReply> {
  const provider = request.params.provider as Provider
  const connector = service.providers.get(provider)?.connector
  if (connector?.oauth.readDeposit === undefined) return answer(404, 'not_found')
  const deposit = connector.oauth.readDeposit(readJsonBody(request.bytes))
  const attempt = readState(service.keyring, deposit?.state)
  if (deposit === null || attempt === undefined || attempt.provider !== provider)
    return answer(400, 'invalid_request')
  const now = await databaseNow(service.db)
  if (now.getTime() - attempt.issuedAt.getTime() > STATE_LIFE_MS) return answer(400, 'invalid_request')
  const content = JSON.stringify({ attempt: attempt.attempt, fields: deposit.fields })
  const sealed = seal(service.keyring, place(attempt.handoffId), content)
  const isKept = await saveDeposit(service.db, { id: attempt.handoffId, provider, sealed, now })
  return isKept ? answer(200, '') : answer(400, 'invalid_request')
}

/** What was posted for this attempt; nothing where another attempt's keys came since. */
export function depositOf(service: Service, handoff: HandoffRow, attempt: string): Deposit {
  if (handoff.deposit === null) return {}
  const content = JSON.parse(openText(service.keyring, place(handoff.id), handoff.deposit)) as {
    attempt: string
    fields: Deposit
  }
  return content.attempt === attempt ? content.fields : {}
}
