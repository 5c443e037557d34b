import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeApp, makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../test/make.ts'
import { createProfile, setEntitlement } from '../../features/account/profiles/contract.ts'
import {
  updateComplianceOverview,
  updateReportingCurrency,
} from '../../features/account/workspaces/contract.ts'
import { updateAttributionSettings } from '../../features/attribution/crediting/contract.ts'
import { createGoal, deleteGoal, updateGoal } from '../../features/corrections/goals/contract.ts'
import { importSpend } from '../../features/sources/imports/contract.ts'
import { updateTrackingSettings } from '../../features/sources/tracking/contract.ts'
import { scopes } from '../contract/access.ts'
import type { Client } from '../contract/client.ts'
import { listChanges } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let call: Client
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  const profileId = await makeProfile(owner, workspaceId)
  call = app.as(
    await makeKey(
      app,
      profileId,
      scopes.filter((scope) => scope !== 'workspaces:write'),
    ),
  )
})
afterAll(() => app.close())

/** The newest record, which must have this action and both values. */
async function recorded(action: string) {
  const { data } = await owner.call(listChanges, { params: { workspaceId } })
  const [newest] = data
  expect(newest?.action).toBe(action)
  return newest!.detail as { before: unknown; after: unknown }
}

it('goal changes are recorded with the values before and after', async () => {
  const fields = {
    display_name: 'Demo',
    source_event_names: ['demo'],
    outcome_type: 'demo',
    revenue_type: 'pipeline' as const,
  }
  const { data } = await call(createGoal, { body: { ...fields, conversion_key: 'demo' } })
  expect(await recorded('goal.created')).toMatchObject({ before: null, after: { conversion_key: 'demo' } })
  const params = { id: data.id }
  await call(updateGoal, { params, body: { revenue_type: 'gross' } })
  expect(await recorded('goal.changed')).toEqual({
    before: { revenue_type: 'pipeline' },
    after: { revenue_type: 'gross' },
  })
  await call(deleteGoal, { params })
  expect(await recorded('goal.deleted')).toMatchObject({ before: { revenue_type: 'gross' }, after: null })
})

it('tracking and attribution settings are recorded only if they change', async () => {
  await call(updateTrackingSettings, { body: { allowed_domains: ['shop.example'] } })
  const first = await recorded('tracking_settings.changed')
  expect(JSON.stringify(first.after)).toContain('shop.example')
  expect(JSON.stringify(first.before)).not.toContain('shop.example')
  await call(updateAttributionSettings, { body: { lookback_days: 45 } })
  expect(await recorded('attribution_settings.changed')).toMatchObject({
    before: { lookback_days: 30 },
    after: { lookback_days: 45 },
  })
  await call(updateTrackingSettings, { body: { allowed_domains: ['shop.example'] } })
  await recorded('attribution_settings.changed')
})

it('an import is recorded with the spend of its sources before and after', async () => {
  const row = {
    source: 'paper',
    level: 'campaign' as const,
    campaign_id: '1',
    campaign_name: 'Paper',
    date: '2026-01-05',
    currency: 'EUR',
  }
  await call(importSpend, { body: { rows: [{ ...row, spend: 10 }] } })
  expect(await recorded('spend.imported')).toMatchObject({
    before: { spend: {} },
    after: { spend: { 'campaign EUR': '10.00' }, inserted: 1, sources: ['paper'], date_from: '2026-01-05' },
  })
  await call(importSpend, { body: { rows: [{ ...row, spend: '12.30' }] } })
  expect(await recorded('spend.imported')).toMatchObject({
    before: { spend: { 'campaign EUR': '10.00' } },
    after: { spend: { 'campaign EUR': '12.30' }, updated: 1 },
  })
})

it('currency, healthcare and entitlements are recorded with the values before and after', async () => {
  const params = { workspaceId }
  await owner.call(updateReportingCurrency, { params, body: { reporting_currency: 'EUR' } })
  expect(await recorded('workspace.reporting_currency_set')).toEqual({
    before: { reporting_currency: null },
    after: { reporting_currency: 'EUR' },
  })
  await owner.call(updateComplianceOverview, { params, body: { healthcare: true } })
  expect(await recorded('workspace.healthcare_set')).toEqual({
    before: { healthcare: false },
    after: { healthcare: true },
  })
  const partner = await makeApp(app, workspaceId)
  const creation = await partner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Dealer', scopes: ['analytics'] },
  })
  await partner.call(setEntitlement, {
    params: { profileId: creation.data.profile_id, feature: 'attribution' },
    body: { enabled: true },
  })
  expect(await recorded('entitlement.set')).toMatchObject({
    before: { enabled: false },
    after: { enabled: true },
  })
})
