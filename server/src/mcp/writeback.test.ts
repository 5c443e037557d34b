/** Writes of assistants: preview, confirmation, audit, and the circuit breaker. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { drainJobs } from '../../test/jobs.ts'
import { later } from '../../test/make.ts'
import { makeShop, type Shop, triggerSandbox } from '../../test/make-shop.ts'
import { jobs } from '../app.ts'
import { createUserToken } from '../features/account/api-keys/contract.ts'
import { listMcpWritebacks, putMcpSettings } from '../features/account/mcp/contract.ts'

let app: TestApp
let shop: Shop
let token: string
let campaign: { id: string; external_id: string; daily_budget_minor: number }
const opened: Client[] = []

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  await shop.connected('social_ads')
  await drainJobs(app.service, jobs)
  const body = { name: 'Assistant', scopes: ['mcp:read', 'mcp:write'] as ('mcp:read' | 'mcp:write')[] }
  token = (await shop.owner.call(createUserToken, { body })).data.token
  const row = await app.service.db
    .selectFrom('ad_entities')
    .select(['id', 'external_id', 'daily_budget_minor'])
    .where('profile_id', '=', shop.profileId)
    .where('level', '=', 'campaign')
    .where('status', '=', 'ACTIVE')
    .where('daily_budget_minor', 'is not', null)
    .orderBy('external_id')
    .executeTakeFirstOrThrow()
  campaign = { ...row, daily_budget_minor: Number(row.daily_budget_minor) }
})
beforeEach(() => save({}))
afterAll(async () => {
  for (const client of opened) await client.close()
  await app.close()
})

const settings = {
  enabled: true,
  writeback_enabled: true,
  pii_mode: 'masked' as const,
  allowed_tools: null,
  max_rows: 100,
  budget_step_percent: 20,
  require_confirmation: true,
}
const params = () => ({ workspaceId: shop.workspaceId })
async function save(change: Partial<typeof settings>) {
  await shop.owner.call(putMcpSettings, { params: params(), body: { ...settings, ...change } })
}

async function connect(answer?: boolean): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      capabilities: answer === undefined ? {} : { elicitation: {} },
    },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async () => ({
      action: 'accept',
      content: { confirm: answer },
    }))
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.baseUrl}/mcp`), { requestInit: { headers } }),
  )
  opened.push(client)
  return client
}

type Result = {
  outcome?: string
  confirmation?: string
  before?: Record<string, unknown>
  api_call?: { url: string }
  error?: { code: string }
}
async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const result = await client.callTool({
    name,
    arguments: { profile_id: shop.profileId, id: campaign.external_id, ...args },
  })
  return JSON.parse((result.content as { text: string }[])[0]!.text) as Result
}
const written = async () =>
  ((await (await fetch(`${app.baseUrl}/sandbox/writes`)).json()) as { data: unknown[] }).data.length
const audits = async (tool: string) =>
  (await shop.owner.call(listMcpWritebacks, { params: params(), query: { tool } })).data

it('a change previewed with the campaign_id of a report is confirmed with it', async () => {
  const client = await connect()
  const change = { id: campaign.id, daily_budget: campaign.daily_budget_minor / 100 }
  const preview = await call(client, 'set_campaign_budget', change)
  expect(preview.api_call?.url).toContain(`/campaigns/${campaign.external_id}/budget`)
  const confirm = {
    ...change,
    mode: 'confirm',
    confirmation: preview.confirmation,
    idempotency_key: 'own-id',
  }
  expect(await call(client, 'set_campaign_budget', confirm)).toMatchObject({ outcome: 'no_change' })
})

it('a preview writes nothing; confirming it writes once, and every step is audited', async () => {
  const client = await connect()
  const before = await written()
  const preview = await call(client, 'pause_campaign')
  expect(preview).toMatchObject({ outcome: 'previewed', before: { status: 'ACTIVE' } })
  expect(await written()).toBe(before)
  const confirm = { mode: 'confirm', confirmation: preview.confirmation, idempotency_key: 'pause-1' }
  expect(await call(client, 'pause_campaign', confirm)).toMatchObject({ outcome: 'applied' })
  // The response was lost: the same key repeats the response, not the write.
  expect(await call(client, 'pause_campaign', confirm)).toMatchObject({ outcome: 'applied' })
  expect(await written()).toBe(before + 1)
  const again = await call(client, 'pause_campaign', { ...confirm, idempotency_key: 'pause-2' })
  expect(again.error?.code).toBe('confirmation_required')
  const rows = await audits('pause_campaign')
  expect(rows.map((row) => [row.mode, row.outcome, row.confirmation, row.error_code])).toEqual([
    ['confirm', 'refused', 'argument', 'confirmation_required'],
    ['confirm', 'applied', 'argument', null],
    ['confirm', 'applied', 'argument', null],
    ['preview', 'previewed', 'none', null],
  ])
  expect(rows[2]).toMatchObject({
    client_name: 'Assistant',
    user_id: shop.owner.id,
    idempotency_key: 'pause-1',
    before: { status: 'ACTIVE' },
    after: { status: 'PAUSED' },
  })
})

it('a confirmation is valid only for the previewed change and until it expires, and is required', async () => {
  const client = await connect()
  const daily_budget = (campaign.daily_budget_minor * 1.1) / 100
  const { confirmation } = await call(client, 'set_campaign_budget', { daily_budget })
  const attempt = async (args: Record<string, unknown>) =>
    (await call(client, 'set_campaign_budget', { mode: 'confirm', idempotency_key: 'b-1', ...args })).error
      ?.code
  expect(await attempt({ daily_budget })).toBe('confirmation_required')
  expect(await attempt({ daily_budget: daily_budget + 1, confirmation })).toBe('confirmation_required')
  expect(await attempt({ daily_budget, confirmation: 'nonsense' })).toBe('confirmation_required')
  expect(await later(app, 11 * 60_000, () => attempt({ daily_budget, confirmation }))).toBe(
    'confirmation_required',
  )
})

it('a budget moves by at most the step of the workspace', async () => {
  const client = await connect()
  const daily_budget = (campaign.daily_budget_minor * 1.3) / 100
  expect((await call(client, 'set_campaign_budget', { daily_budget })).error?.code).toBe(
    'budget_change_out_of_bounds',
  )
})

it('a dry run cannot be confirmed', async () => {
  const client = await connect()
  const dry = await call(client, 'resume_campaign', { mode: 'dry_run' })
  expect(dry.outcome).toBe('previewed')
  expect(dry.confirmation).toBeUndefined()
})

it('a client with elicitation asks the person, and declining changes nothing', async () => {
  const before = await written()
  const declined = await call(await connect(false), 'resume_campaign', { mode: 'confirm' })
  expect(declined.error?.code).toBe('declined')
  expect(await written()).toBe(before)
  const accepted = await call(await connect(true), 'resume_campaign', { mode: 'confirm' })
  expect(accepted.outcome).toBe('applied')
  expect(await written()).toBe(before + 1)
  expect((await audits('resume_campaign'))[0]).toMatchObject({ mode: 'confirm', confirmation: 'elicited' })
})

it('three failures in half an hour open the circuit breaker for writes of the profile', async () => {
  await save({ require_confirmation: false })
  const client = await connect()
  const confirm = (key: string) => call(client, 'pause_campaign', { mode: 'confirm', idempotency_key: key })
  expect((await confirm('f-1')).outcome).toBe('applied')
  // Simulates three failures of the platform.
  await app.pool.query(
    `insert into mcp_writeback_audits (id, workspace_id, profile_id, credential_id, tool, mode, arguments,
       arguments_digest, outcome, error_code, confirmation, occurred_at)
     select gen_random_uuid(), workspace_id, profile_id, credential_id, 'other', 'confirm', '{}', '', 'failed',
       'provider_error', 'none', occurred_at
     from mcp_writeback_audits, generate_series(1, 3) where idempotency_key = 'f-1'`,
  )
  expect((await confirm('f-2')).error?.code).toBe('circuit_open')
  expect((await later(app, 31 * 60_000, () => confirm('f-3'))).outcome).toBe('no_change')
})

it('a failure of the platform is audited as failed', async () => {
  await save({ require_confirmation: false })
  const client = await connect()
  await triggerSandbox(app, 'social_ads', 'fault', { kind: 'server_error', times: 100 })
  const confirm = { mode: 'confirm', idempotency_key: 'g-1' }
  const { error } = await later(app, 31 * 60_000, () => call(client, 'resume_campaign', confirm))
  const [row] = await audits('resume_campaign')
  expect(row).toMatchObject({
    mode: 'confirm',
    outcome: 'failed',
    error_code: error?.code,
    idempotency_key: 'g-1',
  })
})
