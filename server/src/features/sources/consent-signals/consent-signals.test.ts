import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeOwnProfile, startTestProfile } from '../../../../test/make.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import {
  createTrackingDomain,
  getTrackingQuality,
  getTrackingSnippet,
  issueTrackingKey,
  updateTrackingSettings,
} from '../tracking/contract.ts'
import { createOwnBrowserLink, getTrackingConsent } from './contract.ts'

type Profile = Awaited<ReturnType<typeof makeOwnProfile>>

let started: Awaited<ReturnType<typeof startTestProfile>>
const scopes = ['tracking:read', 'tracking:write'] as const
beforeAll(async () => {
  started = await startTestProfile([...scopes])
})
afterAll(() => started.app.close())

const makeProfile = async (): Promise<Profile & { key: string }> => {
  const profile = await makeOwnProfile(started.app, [...scopes])
  return { ...profile, key: (await profile.call(issueTrackingKey)).data.key }
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const reply = await fetch(`${started.app.baseUrl}/api/tracking/${path}`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', ...headers },
    body: JSON.stringify(body),
  })
  return { status: reply.status, data: ((await reply.json()) as { data?: unknown }).data }
}

function pageOf(signals: string[], consent?: object, more: object = {}) {
  const now = new Date().toISOString()
  return {
    ...makeWirePage({
      event_id: randomUUID(),
      anonymous_id: randomUUID(),
      session_id: randomUUID(),
      session_start: true,
      occurred_at: now,
      sent_at: now,
      properties: consent === undefined ? {} : { consent },
    }),
    signals,
    ...more,
  }
}

const granted = { ad_user_data: 'granted', ad_personalization: 'granted' }
const denied = { ad_user_data: 'denied', ad_personalization: 'denied' }

async function countsOf({ call, profileId }: Profile) {
  await started.app.service.processor.settled(profileId)
  const { data } = await call(getTrackingConsent)
  return {
    ...data,
    days: data.days.map(({ source, purpose, state, events, sessions }) => [
      source,
      purpose,
      state,
      events,
      sessions,
    ]),
  }
}

it('counts what visitors stated by source, once per event, and without other profiles', async () => {
  const profile = await makeProfile()
  const other = await makeProfile()
  const resent = pageOf(['tcf', 'held'], denied)
  const events = [
    resent,
    pageOf(['consent_mode'], { ad_user_data: 'granted', ad_personalization: 'denied' }),
    pageOf(['tcf', 'consent_mode', 'conflict'], denied, { session_start: false }),
    pageOf([]),
  ]
  await post('collect', { key: profile.key, events })
  await post('collect', { key: profile.key, events: [resent] })
  const { days, pending_share: pending, conflicts, withheld } = await countsOf(profile)
  expect(days).toEqual([
    ['consent_mode', 'ad_personalization', 'denied', 1, 1],
    ['consent_mode', 'ad_user_data', 'granted', 1, 1],
    ['consent_mode', 'statistics', 'granted', 1, 1],
    ['tcf', 'ad_personalization', 'denied', 2, 1],
    ['tcf', 'ad_user_data', 'denied', 2, 1],
    ['tcf', 'statistics', 'granted', 2, 1],
    ['tracker', 'statistics', 'granted', 1, 1],
  ])
  expect([pending, conflicts, withheld]).toEqual([1 / 3, 1, []])
  expect(await countsOf(other)).toMatchObject({ days: [], pending_share: null, conflicts: 0 })
})

it('refuses a range that ends before it begins or is too long', async () => {
  const { call } = started
  for (const query of [
    { date_from: '2026-02-02', date_to: '2026-02-01' },
    { date_from: '2024-01-01', date_to: '2026-02-01' },
  ])
    await expect(call(getTrackingConsent, { query })).rejects.toMatchObject({ code: 'invalid_date_range' })
})

it('a later grant on the site lifts the browser’s signal only if the profile allows it', async () => {
  const profile = await makeProfile()
  const lifted = () => pageOf(['tcf', 'gpc_lifted'], granted)
  await post('collect', { key: profile.key, events: [lifted()] }, { 'sec-gpc': '1' })
  await profile.call(updateTrackingSettings, { body: { gpc: 'explicit_choice_wins' } })
  await post(
    'collect',
    { key: profile.key, events: [lifted(), pageOf(['tcf'], granted)] },
    { 'sec-gpc': '1' },
  )
  const { days } = await countsOf(profile)
  expect(days.filter(([, purpose]) => purpose === 'ad_user_data')).toEqual([
    ['gpc', 'ad_user_data', 'denied', 2, 2],
    ['tcf', 'ad_user_data', 'granted', 1, 1],
  ])
})

it('the snippet reads banners unless that is switched off, and carries excluded paths', async () => {
  const profile = await makeProfile()
  const html = async () => (await profile.call(getTrackingSnippet)).data.html
  expect(await html()).toContain(' data-signals="auto"')
  expect(await html()).not.toContain('data-gpc')
  const body = {
    consent_signals: 'off',
    gpc: 'explicit_choice_wins',
    exclude_paths: ['/admin*', '/x/*'],
  } as const
  expect((await profile.call(updateTrackingSettings, { body })).data).toMatchObject(body)
  expect(await html()).not.toContain('data-signals')
  expect(await html()).toContain(' data-gpc="explicit_choice_wins" data-exclude="/admin*,/x/*"')
})

it('counts excluded page views, and a banner that is not read', async () => {
  const profile = await makeProfile()
  for (const reason of ['own', 'own', 'path'])
    expect((await post('excluded', { key: profile.key, reason })).status).toBe(202)
  expect((await post('excluded', { key: profile.key, reason: 'x' })).status).toBe(422)
  expect((await post('excluded', { key: 'trk_live_none', reason: 'own' })).status).toBe(401)
  await post('collect', { key: profile.key, events: [pageOf(['unread'])] })
  await started.app.service.processor.settled(profile.profileId)
  const { excluded, consent } = (await profile.call(getTrackingQuality)).data
  expect(excluded).toEqual({ own_browsers: 2, paths: 1 })
  expect(consent).toMatchObject({ banner_seen_but_not_read: true, sources: ['tracker'] })
  expect((await countsOf(profile)).excluded.map(({ reason, page_views }) => [reason, page_views])).toEqual([
    ['own', 2],
    ['path', 1],
  ])
})

it('a link marks a browser as the owner’s until it expires, for its profile only', async () => {
  const [profile, other] = [await makeProfile(), await makeProfile()]
  const tokenOf = async (isOwn: boolean) => {
    const { url } = (
      await profile.call(createOwnBrowserLink, { body: { url: 'https://shop.example/?a=1', is_own: isOwn } })
    ).data
    expect(url).toMatch(/^https:\/\/shop\.example\/\?a=1&whence_own=[\w-]{30}$/)
    return new URL(url).searchParams.get('whence_own')!
  }
  const on = await tokenOf(true)
  expect(await post('own-browser', { key: profile.key, token: on })).toEqual({
    status: 202,
    data: { is_own: true },
  })
  expect((await post('own-browser', { key: profile.key, token: await tokenOf(false) })).data).toEqual({
    is_own: false,
  })
  for (const [key, token] of [
    [other.key, on],
    [profile.key, `${on.slice(0, 10)}${on[10] === 'A' ? 'B' : 'A'}${on.slice(11)}`],
    [profile.key, ''],
    [profile.key, 1],
  ])
    expect((await post('own-browser', { key, token })).status).toBe(422)
})

const policyOf = (host: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(started.app.baseUrl)
    request({ hostname, port, path: '/.well-known/gpc.json', headers: { host } }, (reply) => {
      let body = ''
      reply.on('data', (chunk: Buffer) => (body += chunk.toString()))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
    })
      .on('error', reject)
      .end()
  })

it('a verified tracking domain states that it honors the signal, unless a choice may lift it', async () => {
  const profile = await makeProfile()
  const domain = `t-${randomUUID().slice(0, 8)}.shop.example`
  const { id } = (await profile.call(createTrackingDomain, { body: { domain } })).data
  expect((await policyOf(domain)).status).toBe(404)
  await started.app.pool.query(
    `update tracking_domains set status = 'verified' where profile_id = $1 and id = $2`,
    [profile.profileId, id],
  )
  const policy = await policyOf(`${domain}:443`)
  expect(policy.status).toBe(200)
  expect(JSON.parse(policy.body)).toEqual({
    gpc: true,
    lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  })
  await profile.call(updateTrackingSettings, { body: { gpc: 'explicit_choice_wins' } })
  expect((await policyOf(domain)).status).toBe(404)
  expect((await policyOf('unknown.example')).status).toBe(404)
})
