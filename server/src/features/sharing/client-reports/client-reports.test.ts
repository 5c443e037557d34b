import sharp from 'sharp'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePerson, makeWorkspace, refusalOf } from '../../../../test/make.ts'
import { days, openReportDesk, type ReportDesk } from '../../../../test/report-desk.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { parseCsv } from '../../../platform/csv.ts'
import { getOverview, listCampaigns } from '../../insights/reports/contract.ts'
import { approveReport, downloadReport, generateReports, getReportsHub } from './contract.ts'

let app: ReportDesk['app']
let owner: ReportDesk['owner']
let params: ReportDesk['params']
let profileId: ReportDesk['profileId']
let emptyProfileId: ReportDesk['emptyProfileId']
let hub: ReportDesk['hub']
let patch: ReportDesk['patch']
let drain: ReportDesk['drain']
let reportOf: ReportDesk['reportOf']
let generate: ReportDesk['generate']
let download: ReportDesk['download']
beforeAll(async () => {
  ;({ app, owner, params, profileId, emptyProfileId, hub, patch, drain, reportOf, generate, download } =
    await openReportDesk())
})
afterAll(() => app.close())

async function readApiFigures() {
  const query = { ...days, profile_id: profileId }
  const overview = await owner.call(getOverview, { query })
  const campaigns = await owner.call(listCampaigns, {
    query: { ...days, profile_id: profileId, limit: 100 },
  })
  return { overview: overview.data, meta: overview.meta, campaigns: campaigns.data }
}
describe('the figures of a report', () => {
  it.each([
    ['en', /€[\d,]+\.\d\d|-€[\d,]+\.\d\d/g, (text: string) => text.replace(/[€,]/g, '')],
    ['es', /-?[\d.]+,\d\d €/g, (text: string) => text.replace(/[€.\s]/g, '').replace(',', '.')],
  ] as const)(
    'equal those of the API to the minor unit, read from the PDF in %s',
    async (language, form, plain) => {
      const id = await generate({ format: 'pdf', language })
      await drain()
      const report = await reportOf(id)
      const api = await readApiFigures()
      expect(report).toMatchObject({ status: 'ready', result_hash: api.meta.result_hash })
      const { type, bytes } = await download(id)
      expect(type).toBe('application/pdf')
      const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
      const amounts = new Set([...text.matchAll(form)].map(([amount]) => toMinor(plain(amount), 'EUR')))
      const { totals } = api.overview
      const reconciliation = api.meta.reconciliation as Record<'total' | 'credited' | 'unattributed', number>
      const expected = [
        totals.revenue,
        totals.spend,
        totals.credited_revenue,
        reconciliation.total,
        reconciliation.credited,
        reconciliation.unattributed,
        ...api.campaigns.flatMap((row) => [row.spend, row.outcome_value]),
      ].map((value) => toMinor(value!, 'EUR'))
      expect(api.campaigns.length).toBeGreaterThan(1)
      for (const amount of expected) expect(amounts).toContain(amount)
      for (const { campaign_name } of api.campaigns) expect(text).toContain(campaign_name)
      expect(text).toContain('Acme Agency')
      const secondId = await generate({ format: 'pdf', language })
      await drain()
      expect((await download(secondId)).bytes.equals(bytes)).toBe(true)
    },
  )

  it('add up in the CSV file, row by row as the API has them', async () => {
    const id = await generate({ format: 'csv' })
    await drain()
    const [head, ...rows] = parseCsv((await download(id)).bytes.toString())!
    const column = (row: string[], name: string) => row[head!.indexOf(name)]!
    const minor = (row: string[]) => toMinor(column(row, 'revenue'), 'EUR')!
    const api = await readApiFigures()
    const parts = rows.filter((row) => row[0] === 'campaign' || row[0] === 'unattributed')
    expect(parts.reduce((sum, row) => sum + minor(row), 0)).toBe(toMinor(api.overview.totals.revenue!, 'EUR'))
    for (const row of rows) {
      const [spend, roas] = [Number(column(row, 'spend')), column(row, 'roas')]
      if (roas !== '') expect(Number(roas), row[0]).toBeCloseTo(Number(column(row, 'revenue')) / spend, 5)
    }
    const campaigns = rows.filter((row) => row[0] === 'campaign')
    expect(campaigns.map((row) => [column(row, 'campaign_id'), minor(row)])).toEqual(
      api.campaigns.map((row) => [row.campaign_id, toMinor(row.outcome_value!, 'EUR')]),
    )
  })

  it('include the logo of the workspace in any image format', async () => {
    const logo = await sharp({ create: { width: 90, height: 30, channels: 3, background: '#7a3cff' } })
      .webp()
      .toBuffer()
    const saveLogo = (bytes: Buffer | null) =>
      app.pool.query(
        'update workspace_branding set logo = $2::bytea, logo_etag = md5($2::bytea) where workspace_id = $1',
        [params.workspaceId, bytes],
      )
    const imagesOf = async () => {
      const id = await generate({ format: 'pdf' })
      await drain()
      return (await download(id)).bytes.toString('latin1').includes('/Subtype /Image')
    }
    await saveLogo(logo)
    expect(await imagesOf()).toBe(true)
    await saveLogo(Buffer.from('no picture'))
    expect(await imagesOf()).toBe(false)
    await saveLogo(null)
  })

  it('are in the HTML page too, with names escaped', async () => {
    await app.pool.query('update profiles set name = $2 where id = $1', [profileId, '<b>Hazel</b> & Pine'])
    const id = await generate({ format: 'html', language: 'es' })
    await drain()
    await app.pool.query("update profiles set name = 'Hazel & Pine' where id = $1", [profileId])
    const { type, bytes } = await download(id)
    expect(type).toBe('text/html; charset=utf-8')
    expect(bytes.toString()).toContain('&lt;b&gt;Hazel&lt;/b&gt; &amp; Pine')
    expect(bytes.toString()).not.toContain('<b>Hazel')
    expect(bytes.toString()).toContain('Informe de resultados')
  })

  it('are deleted after 400 days, with the next report of the profile', async () => {
    const old = await generate({ format: 'csv' })
    await drain()
    await app.pool.query("update client_reports set created_at = now() - interval '401 days' where id = $1", [
      old,
    ])
    const next = await generate({ format: 'csv' })
    await drain()
    expect((await hub()).reports.map(({ id }) => id)).toContain(next)
    expect((await hub()).reports.map(({ id }) => id)).not.toContain(old)
  })

  it('produce no report if there are none', async () => {
    const id = await generate({ profile_ids: [emptyProfileId] })
    expect((await reportOf(id)).status).toBe('queued')
    await drain()
    expect(await reportOf(id)).toMatchObject({ status: 'skipped', reason: 'no_data', download_url: null })
    expect(
      await refusalOf(owner.call(downloadReport, { params: { ...params, reportId: id } })),
    ).toMatchObject({
      status: 409,
    })
  })
})

describe('access', () => {
  it('reports return 404 to strangers and in another workspace', async () => {
    const id = await generate()
    const stranger = await makePerson(app, 'Stranger')
    expect(await refusalOf(stranger.call(getReportsHub, { params }))).toMatchObject({ status: 404 })
    const otherParams = { workspaceId: await makeWorkspace(stranger), reportId: id }
    expect(await refusalOf(stranger.call(downloadReport, { params: otherParams }))).toMatchObject({
      status: 404,
    })
    expect(await refusalOf(stranger.call(approveReport, { params: otherParams, body: {} }))).toMatchObject({
      status: 404,
    })
    const foreignBody = { ...days, profile_ids: [profileId] }
    const generated = stranger.call(generateReports, {
      params: { workspaceId: otherParams.workspaceId },
      body: foreignBody,
    })
    expect(await refusalOf(generated)).toMatchObject({ status: 404 })
  })

  it('the hub shows only profiles that the person can open', async () => {
    const member = await makePerson(app, 'Member')
    await app.pool.query(
      "insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'viewer', now())",
      [params.workspaceId, member.id],
    )
    const generated = member.call(generateReports, { params, body: days })
    expect(await refusalOf(generated)).toMatchObject({ status: 403 })
  })

  it('no reports are mailed for app-provisioned workspaces, nor on the starter plan if plans are billed', async () => {
    await app.pool.query("update workspaces set acquisition_source = 'oauth' where id = $1", [
      params.workspaceId,
    ])
    const refusal = { status: 403, code: 'app_provisioned_workspace' }
    expect(await refusalOf(generate({ send: true, recipients: ['a@client.example'] }))).toMatchObject(refusal)
    expect(await refusalOf(patch({ recipients: ['a@client.example'] }))).toMatchObject(refusal)
    await generate()
    await app.pool.query("update workspaces set acquisition_source = 'direct' where id = $1", [
      params.workspaceId,
    ])
    const { billing } = app.service
    app.service.billing = {} as never
    await app.pool.query("update workspace_subscriptions set plan = 'starter' where workspace_id = $1", [
      params.workspaceId,
    ])
    await app.pool.query("update workspaces set plan = 'starter' where id = $1", [params.workspaceId])
    const upgrade = { status: 402, code: 'plan_upgrade_required' }
    expect(await refusalOf(patch({ recipients: ['a@client.example'] }))).toMatchObject(upgrade)
    expect((await patch({ enabled: false })).data[0]!.status).toBe('created')
    app.service.billing = billing
  })
})
