import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { drainJobs } from '../../../../test/jobs.ts'
import { makePerson, refusalOf } from '../../../../test/make.ts'
import { makeGovernedShop, makeShop } from '../../../../test/make-shop.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { days, openReportDesk, type ReportDesk } from '../../../../test/report-desk.ts'
import { accessJobs } from '../../../platform/access/jobs.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { archiveProfile } from '../../account/profiles/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getOverview, listCampaigns } from '../../insights/reports/contract.ts'
import { saveConversionSyncCatalog } from '../../outgoing/exports/catalog/contract.ts'
import { loadBrand } from '../client-reports/brand.ts'
import { createLiveLink, listLiveLinks, revokeLiveLink } from './contract.ts'
import { inkOn, isUnlocked, linkToken, readLinkToken, unlockedCookie } from './rules.ts'

let desk: ReportDesk
/** Early in June, "last month" is the month with figures. */
const setClock = (to: string) => desk.app.service.clock.set(desk.app.service.db, Date.parse(to) - Date.now())
beforeAll(async () => {
  desk = await openReportDesk()
  await setClock('2026-06-03T12:00:00Z')
})
afterAll(() => desk.app.close())

const create = async (body: Record<string, unknown> = {}) =>
  (
    await desk.owner.call(createLiveLink, {
      params: desk.params,
      body: { profile_id: desk.profileId, name: 'Hazel results', period: 'last_month', ...body },
    })
  ).data
const list = async () => (await desk.owner.call(listLiveLinks, { params: desk.params })).data
const revoke = (liveLinkId: string) =>
  desk.owner.call(revokeLiveLink, { params: { ...desk.params, liveLinkId } })
const open = (url: string, form?: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, {
    redirect: 'manual',
    headers,
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
const textOf = async (url: string) => (await open(url)).text()

describe('the page of a live link', () => {
  it.each([
    ['en', /-?€[\d,]+\.\d\d/g, (text: string) => text.replace(/[€,]/g, '')],
    ['es', /-?[\d.]+,\d\d €/g, (text: string) => text.replace(/[€.\s]/g, '').replace(',', '.')],
  ] as const)('has the figures of the API to the minor unit in %s', async (language, form, plain) => {
    const { url } = await create({ language })
    const page = await open(url)
    expect(page.status).toBe(200)
    const text = await page.text()
    const shownAmounts = new Set([...text.matchAll(form)].map(([amount]) => toMinor(plain(amount), 'EUR')))
    const query = { ...days, profile_id: desk.profileId }
    const { totals } = (await desk.owner.call(getOverview, { query })).data
    const { data: campaigns } = await desk.owner.call(listCampaigns, { query })
    const { data: channels } = await desk.owner.call(getChannels, { query })
    expect(campaigns.length).toBeGreaterThan(1)
    expect(channels.length).toBeGreaterThan(1)
    for (const amount of [
      totals.revenue,
      totals.spend,
      totals.credited_revenue,
      ...campaigns.flatMap((row) => [row.spend, row.outcome_value]),
      ...channels.map((row) => row.outcome_value),
    ])
      expect(shownAmounts).toContain(toMinor(amount!, 'EUR'))
    expect(text).toContain('Acme Agency')
    expect(text).toContain('#7a3cff')
    expect(text).toContain(`<html lang="${language}">`)
  })

  it('is live: it changes with the data and with the chosen period', async () => {
    const { url } = await create()
    const before = await textOf(url)
    expect(before).toContain('€150.00')
    await desk.app.pool.query('update ad_entities set name = $2 where profile_id = $1 and external_id = $3', [
      desk.profileId,
      'Renamed campaign',
      'C1',
    ])
    expect(await textOf(url)).toContain('Renamed campaign')
    const week = await textOf(`${url}?period=last_7_days`)
    expect(week).not.toContain('€150.00')
    expect(week).toMatch(/period=last_7_days" aria-current="page"/)
    expect(await textOf(`${url}?period=nonsense`)).toContain('€150.00')
  })

  it('shows only the chosen reports, no script, and is neither indexed nor stored', async () => {
    const { url, reports } = await create({ reports: ['channels', 'summary', 'summary'] })
    expect(reports).toEqual(['summary', 'channels'])
    const page = await open(url)
    expect(page.headers.get('x-robots-tag')).toContain('noindex')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const text = await page.text()
    expect(text).toContain('Revenue by channel')
    expect(text).not.toContain('<h2>Campaigns</h2>')
    expect(text).not.toMatch(/<script| style="/)
  })

  it('contains no customer names', async () => {
    const text = await textOf((await create()).url)
    for (const person of ['ana', 'bob', 'cid', 'dee']) expect(text).not.toMatch(new RegExp(`\\b${person}\\b`))
  })
})

describe('a live link', () => {
  it('returns 404 once it is revoked, has expired or its profile is archived', async () => {
    const created = await create()
    const expiring = await create({ expires_in_days: 1 })
    expect((await open(created.url)).status).toBe(200)
    expect((await list()).find(({ id }) => id === created.id)).toMatchObject({
      views: 1,
      last_viewed_at: expect.any(String),
    })
    await revoke(created.id)
    await revoke(created.id)
    const { shop, partner } = await makeGovernedShop(desk.app)
    const { data: ofShop } = await shop.owner.call(createLiveLink, {
      params: { workspaceId: shop.workspaceId },
      body: { profile_id: shop.profileId, name: 'Shop' },
    })
    expect((await open(ofShop.url)).status).toBe(200)
    await partner.call(archiveProfile, { params: { profileId: shop.profileId } })
    await setClock('2026-06-05T12:00:00Z')
    const urls = [created.url, expiring.url, ofShop.url, created.url.replace(/.{3}$/, 'AAA')]
    const replies = await Promise.all(
      urls.map(async (url) => {
        const reply = await open(url)
        return `${reply.status} ${await reply.text()}`
      }),
    )
    await setClock('2026-06-03T12:00:00Z')
    expect(replies[0]).toMatch(/^404 /)
    expect(new Set(replies).size).toBe(1)
    expect((await list()).map(({ id }) => id)).not.toContain(created.id)
  })

  it('with a password shows nothing without it, and limits attempts by IP address', async () => {
    const password = 'open sesame 9'
    const { url, has_password } = await create({ password })
    expect(has_password).toBe(true)
    const from = (ip: string, cookie = '') => ({ 'x-forwarded-for': ip, cookie })
    expect(await textOf(url)).not.toContain('Hazel results')
    const opened = await open(url, { password }, from('198.51.100.1'))
    expect(opened.status).toBe(303)
    expect(opened.headers.get('location')).toBe(url.split('/').at(-1))
    const cookies = opened.headers.getSetCookie().map((header) => header.split(';')[0]!)
    expect(cookies).toHaveLength(2)
    const [device, unlocked] = cookies as [string, string]
    const page = await open(`${url}?period=last_7_days`, undefined, from('198.51.100.1', unlocked))
    expect(await page.text()).toContain('Hazel results')
    for (let guess = 0; guess < 10; guess++)
      expect((await open(url, { password: 'guess' }, from('198.51.100.2'))).status).toBe(403)
    expect((await open(url, { password }, from('198.51.100.2'))).status).toBe(429)
    expect((await open(url, { password }, from('198.51.100.2', device))).status).toBe(303)
    // A known-device cookie does not unlock the link, and neither cookie unlocks another link.
    expect(await (await open(url, undefined, from('198.51.100.4', device))).text()).not.toContain(
      'Hazel results',
    )
    const other = await create({ password })
    const stranger = unlocked.replace(/live_[0-9a-f-]+=/, `live_${other.id}=`)
    expect(await (await open(other.url, undefined, from('198.51.100.4', stranger))).text()).not.toContain(
      'Hazel results',
    )
  })

  it('limits views per minute', async () => {
    const { url } = await create({ reports: ['summary'] })
    const headers = { 'x-forwarded-for': '198.51.100.9' }
    const { clock } = desk.app.service
    const machine = vi.spyOn(clock, 'machineNow').mockReturnValue(clock.machineNow())
    const views = await Promise.all(Array.from({ length: 30 }, () => open(url, undefined, headers)))
    const last = await open(url, undefined, headers)
    machine.mockRestore()
    expect(new Set(views.map(({ status }) => status))).toEqual(new Set([200]))
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    // A refusal does not load the branding: decoding the logo is the most expensive part of a page.
    const refusal = await last.text()
    expect(refusal).toContain('Too many requests')
    expect(refusal).not.toMatch(/<img|Acme Agency/)
    expect((await open(url, undefined, { 'x-forwarded-for': '198.51.100.10' })).status).toBe(200)
  })

  it('of a healthcare profile requires an owner or admin and a password, and the owners get a mail', async () => {
    const { owner, workspaceId, profileId } = await makeShop(desk.app)
    const params = { workspaceId }
    const body = { profile_id: profileId, name: 'Clinic' }
    const locked = { profile_id: profileId, name: 'Clinic', password: 'open sesame 9' }
    const editor = await makePerson(desk.app, 'Editor')
    await desk.app.service.db
      .insertInto('workspace_members')
      .values({ workspace_id: workspaceId, user_id: editor.id, role: 'editor', created_at: new Date() })
      .execute()
    const { data: before } = await owner.call(createLiveLink, { params, body })
    const { data: lockedBefore } = await editor.call(createLiveLink, { params, body: locked })
    expect((await open(before.url)).status).toBe(200)
    expect((await open(lockedBefore.url)).status).toBe(200)
    await owner.call(saveConversionSyncCatalog, {
      query: { profile_id: profileId },
      body: { privacy_mode: 'hipaa', conversions: [] },
    })
    expect((await open(before.url)).status).toBe(404)
    expect((await open(lockedBefore.url)).status).toBe(404)
    expect(await refusalOf(owner.call(createLiveLink, { params, body }))).toMatchObject({
      code: 'validation_error',
      field: 'password',
    })
    expect(await refusalOf(editor.call(createLiveLink, { params, body: locked }))).toMatchObject({
      status: 403,
      reason: 'owner_decision_required',
    })
    const { data: created } = await owner.call(createLiveLink, { params, body: locked })
    expect((await open(created.url)).status).toBe(200)
    await drainJobs(desk.app.service, accessJobs)
    const subjects = (await mailsTo(desk.app, owner.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => /^A live link shows figures of/.test(subject!))).toHaveLength(1)
  })

  it('decodes a logo once, and again after it is replaced', async () => {
    const { db } = desk.app.service
    const { workspaceId } = desk.params
    const upload = async (background: string) => {
      const picture = sharp({ create: { width: 40, height: 20, channels: 3, background } })
      const logo = await picture.png().toBuffer()
      const columns = { logo, logo_type: 'image/png', logo_etag: background }
      await db
        .updateTable('workspace_branding')
        .set(columns)
        .where('workspace_id', '=', workspaceId)
        .execute()
      return (await loadBrand(db, workspaceId)).logo
    }
    const red = await upload('#ff0000')
    expect(red).toBeInstanceOf(Buffer)
    expect((await loadBrand(db, workspaceId)).logo).toBe(red)
    expect(await upload('#0000ff')).not.toEqual(red)
    const none = { logo: null, logo_type: null, logo_etag: null }
    await db.updateTable('workspace_branding').set(none).where('workspace_id', '=', workspaceId).execute()
    expect((await loadBrand(db, workspaceId)).logo).toBeNull()
  })

  it('belongs to its workspace and is managed by its editors', async () => {
    const created = await create()
    const other = await makeShop(desk.app)
    const otherParams = { workspaceId: other.workspaceId }
    const revocation = other.owner.call(revokeLiveLink, {
      params: { ...otherParams, liveLinkId: created.id },
    })
    expect((await refusalOf(revocation)).status).toBe(404)
    const ofOther = other.owner.call(createLiveLink, {
      params: otherParams,
      body: { profile_id: desk.profileId, name: 'Stolen' },
    })
    expect(await refusalOf(ofOther)).toMatchObject({ status: 404, code: 'not_found' })
    expect((await other.owner.call(listLiveLinks, { params: otherParams })).data).toEqual([])
    const viewer = await makePerson(desk.app, 'Viewer')
    await desk.app.service.db
      .insertInto('workspace_members')
      .values({
        workspace_id: desk.params.workspaceId,
        user_id: viewer.id,
        role: 'viewer',
        created_at: new Date(),
      })
      .execute()
    expect((await viewer.call(listLiveLinks, { params: desk.params })).data.length).toBeGreaterThan(0)
    const byViewer = viewer.call(revokeLiveLink, { params: { ...desk.params, liveLinkId: created.id } })
    expect((await refusalOf(byViewer)).status).toBe(403)
    expect((await open(created.url)).status).toBe(200)
  })
})

describe('the rules', () => {
  it('a token signed with another key, or a changed one, is invalid', () => {
    const key = desk.app.service.identityPepper
    const ids = {
      profileId: '0198c0de-0000-7000-8000-000000000001',
      id: '0198c0de-0000-7000-8000-000000000002',
    }
    const token = linkToken(key, ids)
    expect(readLinkToken(key, token)).toEqual(ids)
    expect(readLinkToken(key, `B${token.slice(1)}`)).toBeUndefined()
    expect(readLinkToken(key, '')).toBeUndefined()
  })

  it('an unlocked browser needs the password again after 12 hours', () => {
    const key = desk.app.service.identityPepper
    const now = new Date('2026-06-03T12:00:00Z')
    const cookie = unlockedCookie(key, 'one', now)
    expect(isUnlocked(key, 'one', cookie, new Date(now.getTime() + DAY_MS / 2 - 1000))).toBe(true)
    expect(isUnlocked(key, 'one', cookie, new Date(now.getTime() + DAY_MS / 2))).toBe(false)
    expect(isUnlocked(key, 'two', cookie, now)).toBe(false)
    expect(isUnlocked(key, 'one', undefined, now)).toBe(false)
  })

  it.each([
    ['#ffe600', '#000000'],
    ['#1d4ed8', '#ffffff'],
    ['#777777', '#000000'],
  ])('text on %s is %s', (color, ink) => expect(inkOn(color)).toBe(ink))
})
