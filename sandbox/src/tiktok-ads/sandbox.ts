/**
 * An imitation of TikTok's Business API v1.3: the portal's consent, tokens without an end, accounts, lists with filters,
 * reports, GMV Max, files and status updates; every refusal is a 200 with a code. Written from TikTok's own client
 * (tiktok/tiktok-business-api-sdk, yml_files of 2026-02-28) and from recorded answers, read 2026-11-17.
 */

import { actInCommon, redirectOrigins } from '../actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../consent.ts'
import { drawThumbnail } from '../creative.ts'
import { createFaults } from '../faults.ts'
import { readFields, readJson, routedSandbox, type SandboxRoute } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededHex } from '../seeded-random.ts'
import { TokenServer } from '../tokens.ts'
import { type Listed, listed } from './entities.ts'
import { createLeadForms } from './leads.ts'
import { billedMinor, gmvMaxReport, integratedReport, type Refusal, type Setting } from './reports.ts'
import { type Account, type Kind, makeAccounts, makeCampaigns, makeReservation } from './world.ts'

type Json = Record<string, unknown>
type Level = 'campaign' | 'adgroup' | 'ad'

const api = '/open_api/v1.3'
/** Tokens do not expire; `TokenServer` needs a lifetime. */
const FOREVER_SECONDS = 10 * 365 * 86_400
const incorrectToken = { code: 40105, message: 'Access token is incorrect or has been revoked.' }
const screenScopes = ['4', '5', '6']

export function createTiktokAdsSandbox(options: SandboxOptions): Sandbox {
  const { seed } = options
  const accounts = makeAccounts(seed)
  const startedOn = options.now().toISOString().slice(0, 10)
  const campaigns = new Map(accounts.map((account) => [account.id, makeCampaigns(seed, account, startedOn)]))
  const tokens = new TokenServer({ ...options, accessTtlSeconds: FOREVER_SECONDS, rotates: false })
  const faults = createFaults()
  const restated = new Map<string, number>()
  const statuses = new Map<string, string>()
  const forms = createLeadForms({
    seed,
    now: options.now,
    campaignsOf: (account) => campaigns.get(account.id)!,
  })
  const budgets = new Map<string, number>()
  const writes: Json[] = []
  let serial = 0
  let maxDays = 30
  /** Error codes for the next calls to a path. */
  const codes: { path: string; code: number; times: number }[] = []
  let hasGmvMaxScope = true

  const reply = (data: Json, refusal: Refusal = { code: 0, message: 'OK' }): SandboxReply => ({
    status: 200,
    body: { ...refusal, request_id: seededHex(32, 'tiktok request', ++serial), data },
  })
  const refuse = (refusal: Refusal) => reply({}, refusal)

  const screen: ConsentScreen = {
    providerName: 'TikTok Ads',
    accounts: accounts.map(({ id, name }) => ({ id, name })),
    scopes: screenScopes,
    // The portal's response to a refusal is not published; these are OAuth's error codes.
    refusal: {
      decline: { error: 'access_denied' },
      'deny-app': { error: 'unauthorized_client' },
      'provider-error': { error: 'server_error' },
    },
    issueCode: (request) => tokens.issueCode(request),
    decorate(query) {
      const code = query.get('code')
      if (code !== null) query.set('auth_code', code)
    },
    redirectOrigins: redirectOrigins(options.extra),
  }
  /** The shared consent page expects the app id as `client_id`. */
  const asClient = (request: SandboxRequest): SandboxRequest => {
    const query = new URLSearchParams(request.query)
    if (!query.has('client_id')) query.set('client_id', query.get('app_id') ?? '')
    return { ...request, query }
  }

  const knowsApp = (id: string | null | undefined, secret: string | null | undefined) =>
    tokens.knowsClient(id ?? null, secret ?? null)
  const unknownApp = { code: 40002, message: 'The app_id or the secret is not correct.' }

  function accessToken(request: SandboxRequest): SandboxReply {
    const { app_id: id, secret, auth_code: code } = readFields(request)
    if (!knowsApp(id, secret)) return refuse(unknownApp)
    const issued = tokens.redeemCode({ code: code ?? '', redirectUri: null, codeVerifier: null })
    if ('error' in issued) return refuse({ code: 40110, message: 'The auth_code is expired or was used.' })
    const data = {
      access_token: issued.accessToken,
      scope: issued.grant.scopes.map(Number),
      advertiser_ids: issued.grant.accountIds,
    }
    return { ...reply(data), delayMs: issued.delayMs }
  }

  const granted = (request: SandboxRequest): string[] | null =>
    tokens.authenticate(request.headers['access-token'] ?? null)?.accountIds ?? null

  const behindToken =
    (answer: (request: SandboxRequest, accountIds: string[]) => SandboxReply): SandboxRoute['answer'] =>
    (request) => {
      const ids = granted(request)
      if (ids === null) return refuse(incorrectToken)
      const planned = codes.find(({ path, times }) => times > 0 && request.path.startsWith(`${api}${path}`))
      if (planned !== undefined) {
        planned.times -= 1
        return refuse({ code: planned.code, message: `Refused with ${planned.code}` })
      }
      return answer(request, ids)
    }

  const ofAccount = (answer: (account: Account, request: SandboxRequest) => SandboxReply) =>
    behindToken((request, ids) => {
      const id =
        request.method === 'GET' ? request.query.get('advertiser_id') : readJson(request).advertiser_id
      const account = accounts.find((candidate) => candidate.id === id)
      return account === undefined || !ids.includes(account.id)
        ? refuse({ code: 40001, message: 'No permission to operate the advertiser' })
        : answer(account, request)
    })

  function paged(request: SandboxRequest, list: unknown[], largest: number): SandboxReply {
    const page = Number(request.query.get('page') ?? 1)
    const size = Number(request.query.get('page_size') ?? 10)
    if (!(size >= 1 && size <= largest)) return refuse({ code: 40002, message: 'page_size is out of range' })
    const info = {
      page,
      page_size: size,
      total_number: list.length,
      total_page: Math.ceil(list.length / size),
    }
    return reply({ list: list.slice((page - 1) * size, page * size), page_info: info })
  }

  const settingOf = (account: Account): Setting => ({
    seed,
    now: options.now(),
    account,
    campaigns: campaigns.get(account.id)!,
    restated,
    maxDays,
  })

  const report = (read: typeof integratedReport) =>
    ofAccount((account, request) => {
      const rows = read(settingOf(account), request.query)
      return Array.isArray(rows) ? paged(request, rows, 1000) : refuse(rows)
    })

  const gmvMaxOnly =
    (answer: SandboxRoute['answer']): SandboxRoute['answer'] =>
    (request, params) =>
      hasGmvMaxScope || granted(request) === null
        ? answer(request, params)
        : refuse({ code: 40001, message: 'No permission for GMV Max' })

  const listRoute = (kind: Kind, level: Level, largest: number): SandboxRoute['answer'] =>
    ofAccount((account, request) => {
      const filter = JSON.parse(request.query.get('filtering') ?? '{}') as Record<string, unknown>
      const ids = filter[idsName(kind, level)]
      const all = listed(account, campaigns.get(account.id)!, kind, level, statuses)
      const takes = ({ id, isDeleted }: Listed) =>
        (!isDeleted || filter.primary_status === 'STATUS_ALL') && (!Array.isArray(ids) || ids.includes(id))
      const entities = all.filter(takes).map(({ id, json }) => {
        const budget = budgets.get(id)
        return budget === undefined ? json : { ...json, budget }
      })
      return paged(request, entities, largest)
    })

  const update = (kind: Kind, level: Level): SandboxRoute['answer'] =>
    ofAccount((account, request) => {
      const body = readJson(request)
      const ids = body[idsName(kind, level)]
      const status = String(body.operation_status)
      if (!Array.isArray(ids) || !['ENABLE', 'DISABLE', 'DELETE'].includes(status))
        return refuse({ code: 40002, message: 'operation_status is not valid' })
      const ownIds = new Set(
        [kind, ...(kind === 'standard' ? (['gmv_max'] as const) : [])].flatMap((campaignKind) =>
          listed(account, campaigns.get(account.id)!, campaignKind, level, statuses).map(({ id }) => id),
        ),
      )
      if (!ids.every((id) => ownIds.has(id)))
        return refuse({ code: 40002, message: 'The object does not exist' })
      for (const id of ids as string[]) {
        statuses.set(id, status)
        writes.push({ level, id, status, path: request.path, at: options.now().toISOString() })
      }
      return reply({ [idsName(kind, level)]: ids })
    })

  /** Omitted values do not change. */
  const updateBudget = (level: 'campaign' | 'adgroup') =>
    ofAccount((_account, request) => {
      const { [`${level}_id`]: id, budget } = readJson(request)
      if (typeof budget !== 'number' || budget < 20)
        return refuse({ code: 40002, message: 'The budget is too small' })
      budgets.set(String(id), budget)
      writes.push({ level, id, budget, path: request.path, at: options.now().toISOString() })
      return reply({ [`${level}_id`]: id })
    })

  const files = (parameter: string, toFile: (id: string, baseUrl: string) => Json) =>
    ofAccount((_account, request) => {
      const ids = JSON.parse(request.query.get(parameter) ?? '[]') as string[]
      const isTooMany = ids.length === 0 || ids.length > 60
      return isTooMany
        ? refuse({ code: 40002, message: `${parameter}: Length must be between 1 and 60` })
        : reply({ list: ids.filter((id) => id.startsWith('f-')).map((id) => toFile(id, request.baseUrl)) })
    })

  const routes: SandboxRoute[] = [
    {
      on: 'GET /portal/auth',
      answer: (request) => consentPage(screen, asClient(request), options.clientId),
    },
    {
      on: 'GET /consent/{choice}',
      answer: (request, { choice }) => consentAnswer(screen, asClient(request), options.clientId, choice!),
    },
    {
      on: 'GET /creative/{file}',
      answer: (_request, { file }) => drawThumbnail({ id: file!, name: file!, format: 'video' }),
    },
    { on: `POST ${api}/oauth2/access_token/`, answer: accessToken },
    {
      on: `POST ${api}/oauth2/revoke_token/`,
      answer(request) {
        const { app_id: id, secret, access_token: token } = readFields(request)
        if (!knowsApp(id, secret)) return refuse(unknownApp)
        return tokens.revoke(token ?? '') ? reply({}) : refuse(incorrectToken)
      },
    },
    {
      on: `GET ${api}/oauth2/advertiser/get/`,
      answer: behindToken(({ query }, ids) =>
        knowsApp(query.get('app_id'), query.get('secret'))
          ? reply({
              list: accounts
                .filter(({ id }) => ids.includes(id))
                .map(({ id, name }) => ({ advertiser_id: id, advertiser_name: name })),
            })
          : refuse(unknownApp),
      ),
    },
    {
      on: `GET ${api}/advertiser/info/`,
      answer: behindToken(({ query }, ids) => {
        const advertiserIds = JSON.parse(query.get('advertiser_ids') ?? '[]') as string[]
        if (!advertiserIds.every((id) => ids.includes(id)))
          return refuse({ code: 40001, message: 'No permission to operate the advertiser' })
        const matchingAccounts = accounts.filter(({ id }) => advertiserIds.includes(id))
        return reply({
          list: matchingAccounts.map((account) => ({
            advertiser_id: account.id,
            name: account.name,
            currency: account.currency,
            timezone: account.timezone,
            display_timezone: account.timezone,
            status: 'STATUS_ENABLE',
          })),
        })
      }),
    },
    { on: `GET ${api}/campaign/get/`, answer: listRoute('standard', 'campaign', 1000) },
    { on: `GET ${api}/adgroup/get/`, answer: listRoute('standard', 'adgroup', 1000) },
    { on: `GET ${api}/ad/get/`, answer: listRoute('standard', 'ad', 1000) },
    { on: `GET ${api}/smart_plus/campaign/get/`, answer: listRoute('smart_plus', 'campaign', 1000) },
    { on: `GET ${api}/smart_plus/adgroup/get/`, answer: listRoute('smart_plus', 'adgroup', 1000) },
    { on: `GET ${api}/smart_plus/ad/get/`, answer: listRoute('smart_plus', 'ad', 100) },
    { on: `GET ${api}/gmv_max/campaign/get/`, answer: gmvMaxOnly(listRoute('gmv_max', 'campaign', 100)) },
    {
      on: `GET ${api}/gmv_max/store/list/`,
      answer: gmvMaxOnly(
        ofAccount((account) =>
          reply({
            store_list: [
              { store_id: account.storeId, store_name: `${account.name} shop`, is_gmv_max_available: true },
            ],
          }),
        ),
      ),
    },
    { on: `GET ${api}/gmv_max/report/get/`, answer: gmvMaxOnly(report(gmvMaxReport)) },
    { on: `GET ${api}/report/integrated/get/`, answer: report(integratedReport) },
    {
      on: `GET ${api}/file/video/ad/info/`,
      answer: files('video_ids', (id, baseUrl) => ({
        video_id: id,
        video_cover_url: `${baseUrl}/creative/${id}.png`,
        width: 720,
        height: 1280,
        duration: 14.4,
      })),
    },
    {
      on: `GET ${api}/file/image/ad/info/`,
      answer: files('image_ids', (id, baseUrl) => ({
        image_id: id,
        image_url: `${baseUrl}/creative/${id}.png`,
        width: 1200,
        height: 628,
      })),
    },
    {
      on: `GET ${api}/page/get/`,
      answer: ofAccount((account, request) => paged(request, forms.list(account), 100)),
    },
    {
      on: `POST ${api}/page/lead/task/`,
      answer: ofAccount((account, request) => {
        const task = forms.task(account, request)
        return 'code' in task ? refuse(task as Refusal) : reply(task)
      }),
    },
    {
      on: `GET ${api}/page/lead/task/download/`,
      answer: ofAccount((account, request) => {
        const file = forms.download(account, request)
        return 'code' in file ? refuse(file) : file
      }),
    },
    ...(['campaign', 'adgroup'] as const).flatMap((level): SandboxRoute[] => [
      { on: `POST ${api}/${level}/update/`, answer: updateBudget(level) },
      { on: `POST ${api}/smart_plus/${level}/update/`, answer: updateBudget(level) },
    ]),
    ...(['campaign', 'adgroup', 'ad'] as const).flatMap((level): SandboxRoute[] => [
      { on: `POST ${api}/${level}/status/update/`, answer: update('standard', level) },
      { on: `POST ${api}/smart_plus/${level}/status/update/`, answer: update('smart_plus', level) },
    ]),
  ]

  async function act(action: string, args: Json): Promise<Json> {
    const reset = () => {
      maxDays = 30
      codes.length = 0
      hasGmvMaxScope = true
      forms.reset()
    }
    const done = actInCommon({ tokens, faults, reset }, action, args) ?? forms.act(action, args)
    if (done !== null) return done
    switch (action) {
      case 'restate':
        restated.set(String(args.day), Number(args.percent))
        return {}
      case 'too_large':
        maxDays = Number(args.days)
        return {}
      case 'refuse':
        codes.push({ path: String(args.path), code: Number(args.code), times: Number(args.times ?? 1) })
        return {}
      case 'no_gmv_max':
        hasGmvMaxScope = false
        return {}
      case 'book_reservation': {
        const account = accounts.find(({ id }) => id === args.account_id) ?? accounts[0]!
        const booked = makeReservation(seed, account, startedOn)
        campaigns.set(account.id, [...campaigns.get(account.id)!, booked])
        return { campaign_id: booked.id }
      }
      case 'billed': {
        const account = accounts.find(({ id }) => id === args.account_id) ?? accounts[0]!
        return { minor: billedMinor(settingOf(account), String(args.day)) }
      }
      default:
        throw new Error(`The TikTok Ads sandbox has no action ${action}`)
    }
  }

  return routedSandbox({
    name: 'tiktok_ads',
    routes,
    faults,
    otherwise: refuse({ code: 40404, message: 'Path not found' }),
    writes: () => [...writes],
    act,
  })
}

const idsName = (kind: Kind, level: Level): string =>
  kind === 'smart_plus' && level === 'ad' ? 'smart_plus_ad_ids' : `${level}_ids`
