import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, makeWorkspace, type Person, refusalOf } from '../../../../test/make.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { updateComplianceOverview } from '../workspaces/contract.ts'
import { getMcpSettings, putMcpSettings } from './contract.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
})
afterAll(() => app.close())

const settings = {
  enabled: true,
  writeback_enabled: true,
  pii_mode: 'full_default' as const,
  allowed_tools: ['list_campaigns'],
  max_rows: 20,
  budget_step_percent: 10,
  require_confirmation: false,
}

it('defaults apply until an admin replaces them, and the change is recorded with both values', async () => {
  const params = { workspaceId: await makeWorkspace(owner) }
  expect((await owner.call(getMcpSettings, { params })).data).toEqual({
    enabled: true,
    writeback_enabled: false,
    pii_mode: 'masked',
    allowed_tools: null,
    max_rows: 100,
    budget_step_percent: 50,
    require_confirmation: true,
    updated_by: null,
    updated_at: null,
  })
  await owner.call(putMcpSettings, { params, body: settings })
  const saved = (await owner.call(getMcpSettings, { params })).data
  expect(saved).toMatchObject({ ...settings, updated_by: owner.id })
  const { data } = await owner.call(listChanges, { params, query: { action: 'mcp_settings.changed' } })
  expect(data.map((row) => row.detail)).toEqual([
    { before: expect.objectContaining({ writeback_enabled: false }), after: settings },
  ])
})

it('a healthcare workspace refuses unmasked personal values', async () => {
  const params = { workspaceId: await makeWorkspace(owner) }
  await owner.call(updateComplianceOverview, { params, body: { healthcare: true } })
  expect(await refusalOf(owner.call(putMcpSettings, { params, body: settings }))).toMatchObject({
    status: 409,
    code: 'invalid_state',
  })
  expect((await owner.call(getMcpSettings, { params })).data.updated_at).toBeNull()
})

it('a budget step over 50 percent, an unknown field or a missing one is refused', async () => {
  const params = { workspaceId: await makeWorkspace(owner) }
  const { enabled: _, ...missing } = settings
  for (const body of [{ ...settings, budget_step_percent: 51 }, { ...settings, extra: 1 }, missing])
    expect(await refusalOf(owner.call(putMcpSettings, { params, body }))).toMatchObject({
      code: 'validation_error',
    })
})
