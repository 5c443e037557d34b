/** Records two customers who are one person: proposed, merged and separated again. */
import { jobs } from '../../src/app.ts'
import { drainJobs } from '../jobs.ts'
import { makeKey, makeProfile } from '../make.ts'
import type { World } from './record.ts'

type Row = Record<string, unknown>
type Proposal = Row & { id: string; first: Row; second: Row }
const rowsOf = (data: unknown) => data as Row[]

export async function recordIdentity(world: World): Promise<void> {
  const { app, askWith, owner, workspaceId, keyScopes } = world
  const profileId = await makeProfile(owner, workspaceId, { name: 'Acme Bilbao' })
  const ask = askWith(await makeKey(app, profileId, keyScopes))
  const pay = (day: number, user_traits: Record<string, string>) =>
    ask('sendEvent', {
      body: {
        event_name: 'payment_received',
        idempotency_key: `invoice-20${day}`,
        timestamp: `2026-01-${day}T10:00:00Z`,
        properties: { value: 80, currency: 'EUR' },
        user_traits,
        utm: { source: 'newsletter' },
      },
    })
  await pay(19, { external_id: 'crm-9', email: 'leo@example.com' })
  // Each has a second identifier, so that their order does not matter.
  await pay(20, { external_id: 'crm-1', email: 'ana@example.com' })
  await pay(21, { external_id: 'crm-2', email: 'ana@example.com', phone: '+34600000001' })
  await app.service.processor.settled(profileId)
  await ask('scanMergeProposals')
  const [{ id, first, second }] = (await ask('listMergeProposals')) as unknown as [Proposal]
  const pair = { from_customer_id: second.customer_id, into_customer_id: first.customer_id }
  await ask('previewMergeProposal', { params: { id } })
  await ask('previewMerge', { query: pair })
  const merged = await ask('decideMergeProposal', { params: { id }, body: { decision: 'merge' } })
  await ask('listMerges', { query: { customer_id: first.customer_id } })
  await ask('undoMerge', { params: { auditLogId: merged.audit_log_id } })
  const links = rowsOf(await ask('listIdentityLinks'))
  const [link] = links.sort((a, b) => String(a.first_observed_at).localeCompare(String(b.first_observed_at)))
  await ask('decideIdentityLink', { params: { id: link!.id }, body: { decision: 'reject' } })
  const repair = await ask('startPhoneRepair')
  await drainJobs(app.service, jobs)
  await ask('undoPhoneRepair', { params: { id: repair.id } })
  await ask('retractEvent', { body: { idempotency_key: 'invoice-2021' } })
  await ask('getReplayStatus')
}
