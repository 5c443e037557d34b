/** People who are erased, or excluded by a merge, are removed from sent lists on both platforms, despite failures. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop } from '../../../../../test/export-shop.ts'
import { runSchedule } from '../../../../../test/jobs.ts'
import { makeApp, type PartnerApp, provision, refusalOf } from '../../../../../test/make.ts'
import { moveClock, triggerSandbox } from '../../../../../test/make-shop.ts'
import { foundIn } from '../../../../../test/traced-person.ts'
import type { Provider } from '../../../../connectors/connector.ts'
import { promoteDue } from '../../../../platform/jobs/claim.ts'
import { setEntitlement } from '../../../account/profiles/contract.ts'
import { loadAttributionProfile } from '../../../attribution/crediting/settings.ts'
import { eraseCustomer } from '../../../corrections/erasures/contract.ts'
import { runPendingErasures } from '../../../corrections/erasures/erase.ts'
import { mergeCustomers } from '../../../corrections/identity-review/merges.ts'
import { exportJobs } from '../jobs.ts'
import { saveAudienceExclusions, sendCustomerList } from './contract.ts'

let app: TestApp
let shop: ExportShop
let partner: PartnerApp
let partnerKey: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  partner = await makeApp(app, shop.workspaceId)
  partnerKey = (await provision(app, shop.profileId, partner)).apiKey
  await partner.call(setEntitlement, {
    params: { profileId: shop.profileId, feature: 'attribution' },
    body: { enabled: true },
  })
})
afterAll(() => app.close())

const customerOf = async (email: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select i.customer_id as id from identity_traits t
    join identifiers i on i.profile_id = t.profile_id and i.id = t.identifier_id
    where t.profile_id = ${shop.profileId} and t.value = ${email}`.execute(app.service.db)
  return rows[0]!.id
}

/** The profile's lists at the platform, with their sizes. */
const listedMembers = async (provider: Provider): Promise<number> => {
  const { lists } = await triggerSandbox(app, provider, 'act', { action: 'customer_lists', args: {} })
  return (lists as { members: unknown[] }[]).reduce((sum, list) => sum + list.members.length, 0)
}

const removals = async () => {
  const { rows } = await sql<{ attempts: number; members: string }>`
    select attempts, encode(members, 'escape') as members from audience_removals where profile_id = ${shop.profileId}`.execute(
    app.service.db,
  )
  return rows
}

const erase = async (email: string) => {
  await app.as(partnerKey)(eraseCustomer, { body: { email } })
  await runPendingErasures(app.service, shop.profileId)
}

describe.each([
  ['social_ads', '/v'],
  ['engine_ads', '/v1/audienceMembers'],
] as const)('%s', (provider, path) => {
  let connectionId: string
  const person = (name: string) => `${name}-${provider}@example.com`
  const send = (members: Record<string, unknown>[], fields: Record<string, unknown> = {}, key?: string) =>
    app.as(partnerKey)(sendCustomerList, {
      ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      body: {
        connection_id: connectionId,
        audience: { name: 'Members' },
        operation: 'add',
        members,
        consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
        ...fields,
      },
    })

  beforeAll(async () => {
    connectionId = (await shop.connected(provider)).id
    for (const name of ['ana', 'bo', 'cy', 'dia'])
      await shop.pay(`${name}-${provider}`, {
        user_traits: { email: person(name), phone: '+3460011122' + name.length + provider.length },
      })
    await shop.settle()
  })

  it('an erased customer is removed from the list, and no data of them is left', async () => {
    await send([{ customer_id: await customerOf(person('ana')) }, { email: person('bo') }])
    expect(await listedMembers(provider)).toBe(2)
    await erase(person('ana'))
    expect(await removals()).toHaveLength(1)
    expect(await foundIn(app, [person('ana')])).toEqual([])
    await shop.settle()
    expect(await listedMembers(provider)).toBe(1)
    expect(await removals()).toEqual([])
  })

  it('a failing platform is retried; until then the match values are stored encrypted', async () => {
    await triggerSandbox(app, provider, 'fault', {
      kind: 'rate_limited',
      match: path,
      times: 1,
      retry_after_seconds: 60,
    })
    await erase(person('bo'))
    await shop.settle()
    expect(await listedMembers(provider)).toBe(1)
    const [removal] = await removals()
    expect(removal!.attempts).toBe(1)
    expect(removal!.members).not.toContain('example.com')
    await moveClock(app, 120)
    await promoteDue(app.service.db)
    await shop.settle()
    expect(await listedMembers(provider)).toBe(0)
    expect(await removals()).toEqual([])
  })

  it('a lost job is queued again', async () => {
    await send([{ email: person('cy') }])
    await erase(person('cy'))
    await app.service.db.deleteFrom('jobs').where('name', '=', 'exports.remove_erased').execute()
    await shop.settle()
    expect(await listedMembers(provider)).toBe(1)
    const before = new Date(Date.now() - 2 * 86_400_000)
    await sql`update audience_removals set created_at = ${before}`.execute(app.service.db)
    await runSchedule(app.service, exportJobs, 'exports.resume')
    await shop.settle()
    expect(await listedMembers(provider)).toBe(0)
  })

  it('a person excluded by a merge is removed from the lists', async () => {
    await shop.pay(`out-${provider}`, { user_traits: { email: person('out') } })
    await shop.settle()
    const [out, dia] = [await customerOf(person('out')), await customerOf(person('dia'))]
    await send([{ customer_id: dia }])
    await partner.call(saveAudienceExclusions, {
      params: { profileId: shop.profileId },
      body: { customer_ids: [out] },
    })
    await app.service.db.transaction().execute(async (tx) => {
      const profile = await loadAttributionProfile(tx, shop.profileId)
      const merge = { id: crypto.randomUUID(), fromCustomerId: out, intoCustomerId: dia }
      await mergeCustomers(tx, profile, { ...merge, by: null, now: new Date() })
    })
    expect(await listedMembers(provider)).toBe(1)
    await runSchedule(app.service, exportJobs, 'exports.resume')
    await shop.settle()
    expect(await listedMembers(provider)).toBe(0)
  })

  it('members sent by a failed request are stored, and removed after an erasure', async () => {
    const before = await listedMembers(provider)
    for (const name of ['lost', 'kept'])
      await shop.pay(`${name}-${provider}`, { user_traits: { email: person(name) } })
    await shop.settle()
    const audience = { name: 'Lost answer' }
    // On this platform the fault would hit the call that creates the list.
    const first = provider === 'social_ads' ? ['kept'] : []
    for (const name of first) await send([{ email: person(name) }], { audience })
    await triggerSandbox(app, provider, 'fault', { kind: 'truncated_json', match: path, times: 1 })
    const lost = send([{ email: person('lost') }], { audience }, `lost-${provider}`)
    expect(await refusalOf(lost)).toMatchObject({ status: 502, code: 'provider_error' })
    expect(await listedMembers(provider)).toBe(before + first.length + 1)
    const { rows } = await sql`
      select 1 from audit_log a join audience_lists l on l.external_id = a.subject and l.profile_id = a.profile_id
      where a.profile_id = ${shop.profileId} and a.action = 'audience.customer_list_sent'
        and l.connection_id = ${connectionId} and l.name = ${audience.name}`.execute(app.service.db)
    expect(rows).toHaveLength(first.length + 1)
    for (const name of ['lost', ...first]) await erase(person(name))
    await shop.settle()
    expect(await listedMembers(provider)).toBe(before)
  })

  it('members of a list that the platform refused for its terms are not stored', async () => {
    await triggerSandbox(app, provider, 'act', { action: 'refuse_terms', args: {} })
    const countMembers = async () =>
      (await app.service.db.selectFrom('audience_members').select('identifier_id').execute()).length
    const before = await countMembers()
    for (const key of [undefined, `terms-${provider}`])
      expect(await refusalOf(send([{ email: 'new@example.com' }], {}, key))).toMatchObject({
        status: 428,
        code: 'audience_tos_required',
      })
    expect(await countMembers()).toBe(before)
    const auditEntries = await sql`
      select 1 from audit_log a join audience_lists l on l.external_id = a.subject and l.profile_id = a.profile_id
      where a.profile_id = ${shop.profileId} and a.action = 'audience.customer_list_refused'
        and l.connection_id = ${connectionId}`.execute(app.service.db)
    expect(auditEntries.rows).toHaveLength(2)
    await triggerSandbox(app, provider, 'act', { action: 'refuse_terms', args: { on: false } })
  })
})

it('a platform that stays unreachable is given up after 30 days, and the encrypted values are deleted', async () => {
  const { rows } = await sql<{ id: string }>`
    select id from connections where profile_id = ${shop.profileId} and provider = 'engine_ads' limit 1`.execute(
    app.service.db,
  )
  await shop.pay('eva', { user_traits: { email: 'eva@example.com' } })
  await shop.settle()
  await app.as(partnerKey)(sendCustomerList, {
    body: {
      connection_id: rows[0]!.id,
      audience: { name: 'Others' },
      operation: 'add',
      members: [{ email: 'eva@example.com' }],
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
    },
  })
  await app.service.db
    .updateTable('connections')
    .set({ status: 'reconnect_required' })
    .where('provider', '=', 'engine_ads')
    .execute()
  await erase('eva@example.com')
  await shop.settle()
  expect(await removals()).toMatchObject([{ attempts: 1 }])
  await moveClock(app, 31 * 86_400)
  await promoteDue(app.service.db)
  await shop.settle()
  expect(await removals()).toEqual([])
  const announced = await app.service.db
    .selectFrom('audit_log')
    .select('action')
    .where('action', '=', 'audience.removal_given_up')
    .execute()
  expect(announced).toHaveLength(1)
})
