/** Imitates the Graph API: dialog, tokens, ad accounts, reports, datasets, pages and lead webhooks. */

import { seededDigits } from '../../../seeded-random.ts'
import { actInCommon } from '../../sandbox/actions.ts'
import { type ConsentScreen, consentAnswer, consentPage } from '../../sandbox/consent.ts'
import { thumbnailSvg } from '../../sandbox/creative.ts'
import { createFaults } from '../../sandbox/faults.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../../sandbox/sandbox.ts'
import { type Grant, TokenServer } from '../../sandbox/tokens.ts'
import { hmacSha256 } from '../../signatures.ts'
import { createAudiences } from './audiences.ts'
import { creativeEdge, videosById } from './creative-nodes.ts'
import { createDatasets } from './datasets.ts'
import { createEvents } from './events.ts'
import {
  adNode,
  adSetNode,
  campaignNode,
  type GraphNode,
  graphWorld,
  type InsightsQuery,
  insightRows,
  nodeId,
} from './graph.ts'
import { createLeads } from './leads.ts'
import { graphError, listReply, pickFields, readForm, readJson } from './replies.ts'

const scopes = [
  'ads_read',
  'ads_management',
  'business_management',
  'pages_show_list',
  'pages_manage_metadata',
  'pages_read_engagement',
  'leads_retrieval',
  'public_profile',
]
/** Of the Ads API in November 2026: v24.0 ended on 2026-10-06. */
const aliveMajors = new Set(['25', '26'])
const mayNotWrite = graphError(403, 200, '(#200) Requires ads_management permission to manage the object')
const shortTtlSeconds = 3600
const longTtlSeconds = 60 * 86_400

export function createSocialAdsSandbox(options: SandboxOptions): Sandbox {
  const world = graphWorld(options.seed, options.now())
  const tokens = new TokenServer({ ...options, accessTtlSeconds: shortTtlSeconds, rotates: false })
  const faults = createFaults()
  const written = new Map<string, Record<string, string>>()
  const restated = new Map<string, number>()
  const declined = new Set<string>()
  const subscribedPages = new Set<string>()
  const events = createEvents(options)
  const audiences = createAudiences(options)
  let adSetsHidden = false
  const writes: Record<string, unknown>[] = []
  let longTtl = longTtlSeconds

  const pages = ['Harbor & Pine', 'Harbor & Pine Showroom'].map((name, index) => ({
    id: seededDigits(15, options.seed, 'page', index),
    name,
    category: 'Kitchen & bath contractor',
  }))
  const leads = createLeads(options, pages[0]!.id)
  const datasets = createDatasets(options, (accountId) => pixelsOf(accountId)[0]!.id)
  const pixelsOf = (accountId: string): GraphNode[] => [
    {
      id: seededDigits(15, options.seed, accountId, 'pixel', 0),
      name: 'Harbor & Pine website',
      creation_time: '2024-05-14T09:12:44+0000',
      last_fired_time: `${new Date(options.now().getTime() - 420_000).toISOString().slice(0, 19)}+0000`,
      is_unavailable: false,
      owner_business: { id: seededDigits(15, options.seed, 'business'), name: 'Harbor & Pine Inc.' },
    },
    {
      id: seededDigits(15, options.seed, accountId, 'pixel', 1),
      name: 'Old shop',
      creation_time: '2021-02-03T17:40:00+0000',
    },
    ...datasets.of(accountId),
  ]
  const screen: ConsentScreen = {
    providerName: 'Social ads',
    accounts: world.accounts.map((account) => ({ id: nodeId(account), name: account.name })),
    scopes,
    refusal: {
      decline: {
        error: 'access_denied',
        error_code: '200',
        error_description: 'Permissions error',
        error_reason: 'user_denied',
      },
      'deny-app': {
        error_code: '1349126',
        error_message: 'App not active: this app is not currently accessible',
      },
      'provider-error': {
        error: 'server_error',
        error_code: '2',
        error_description: 'Service temporarily unavailable',
      },
    },
    issueCode: (request) => tokens.issueCode(request),
    redirectOrigins: options.extra.redirectOrigins?.split(' ') ?? [],
  }

  function token(request: SandboxRequest): SandboxReply {
    const form = { ...Object.fromEntries(request.query), ...readForm(request) }
    if (!tokens.knowsClient(form.client_id ?? null, form.client_secret ?? null)) {
      return graphError(
        400,
        101,
        'Error validating application. Cannot get application info due to a system error.',
      )
    }
    const issued =
      form.grant_type === 'fb_exchange_token'
        ? tokens.extend(form.fb_exchange_token ?? '', longTtl)
        : tokens.redeemCode({
            code: form.code ?? '',
            redirectUri: form.redirect_uri ?? '',
            codeVerifier: form.code_verifier ?? null,
          })
    if ('error' in issued) {
      // An old token is code 190, a bad code is code 100.
      return form.grant_type === 'fb_exchange_token'
        ? graphError(400, 190, 'Error validating access token', 460)
        : graphError(400, 100, 'This authorization code has been used or is invalid.', 36009)
    }
    return {
      status: 200,
      delayMs: issued.delayMs,
      body: { access_token: issued.accessToken, token_type: 'bearer', expires_in: issued.expiresInSeconds },
    }
  }

  function authenticate(request: SandboxRequest): Grant | SandboxReply {
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const accessToken = bearer ?? request.query.get('access_token')
    const grant = tokens.authenticate(accessToken)
    if (!grant)
      return graphError(400, 190, 'Error validating access token: the session has been invalidated.', 460)
    const proof = request.query.get('appsecret_proof')
    if (proof !== null && proof !== hmacSha256(options.clientSecret, accessToken!).toString('hex')) {
      return graphError(400, 100, 'Invalid appsecret_proof provided in the API argument')
    }
    return grant
  }

  const granted = (grant: Grant, permission: string) =>
    grant.scopes.includes(permission) && !declined.has(permission)

  function me(request: SandboxRequest, grant: Grant, edge: string): SandboxReply | null {
    switch (edge) {
      case '':
        return { status: 200, body: { id: seededDigits(15, options.seed, 'user'), name: 'Robin Harbor' } }
      case 'permissions':
        if (request.method === 'DELETE') {
          const bearer = request.headers.authorization?.slice('Bearer '.length)
          tokens.revoke(bearer ?? request.query.get('access_token') ?? '')
          return { status: 200, body: { success: true } }
        }
        return {
          status: 200,
          body: {
            data: grant.scopes.map((permission) => ({
              permission,
              status: declined.has(permission) ? 'declined' : 'granted',
            })),
          },
        }
      case 'adaccounts':
        return listReply(
          request,
          world.accounts.map(accountNode).filter(({ id }) => grant.accountIds.includes(id)),
        )
      case 'accounts': {
        const bearer = request.headers.authorization?.slice('Bearer '.length)
        return listReply(
          request,
          pages.map((page) => ({ ...page, access_token: bearer })),
        )
      }
      default:
        return null
    }
  }

  const accountNode = (account: (typeof world.accounts)[number]): GraphNode => ({
    id: nodeId(account),
    account_id: account.id,
    name: account.name,
    currency: account.currency,
    timezone_name: account.timezone,
    account_status: 1,
  })

  const adSetsOf = (account: (typeof world.accounts)[number]): GraphNode[] =>
    world.campaigns(account).flatMap((c) => c.adSets.map((adSet) => adSetNode(account, adSet, c, written)))

  function accountEdge(
    request: SandboxRequest,
    account: (typeof world.accounts)[number],
    edge: string,
  ): SandboxReply {
    const ofCreatives = creativeEdge(request, options, world, account, edge)
    if (ofCreatives) return ofCreatives
    const campaigns = world.campaigns(account)
    const wanted = request.query.get('effective_status')
    const shown = (nodes: GraphNode[]) =>
      listReply(
        request,
        nodes.filter(({ effective_status: status }) =>
          wanted ? (JSON.parse(wanted) as unknown[]).includes(status) : status !== 'ARCHIVED',
        ),
      )
    switch (edge) {
      case '':
        return { status: 200, body: pickFields(request, accountNode(account)) }
      case 'campaigns':
        return shown(campaigns.map((campaign) => campaignNode(campaign, written)))
      case 'adsets':
        if (adSetsHidden) return graphError(403, 200, '(#200) Ad sets cannot be read')
        return shown(datasets.adSets(account.id, adSetsOf(account)))
      case 'ads':
        return shown(
          campaigns.flatMap((c) =>
            c.adSets.flatMap((s) => s.ads.map((ad) => adNode(ad, c.objective, request.baseUrl))),
          ),
        )
      case 'adspixels':
        return listReply(request, pixelsOf(account.id))
      case 'insights': {
        const range = JSON.parse(request.query.get('time_range') ?? '{}') as { since: string; until: string }
        const level = (request.query.get('level') ?? 'campaign') as InsightsQuery['level']
        const rows = insightRows(world, account, {
          level,
          ...range,
          restated,
          now: options.now(),
          seed: options.seed,
        })
        return listReply(request, rows, 'date_start,date_stop')
      }
      default:
        return graphError(400, 100, `Tried accessing nonexisting field (${edge})`)
    }
  }

  function findEntity(id: string, baseUrl: string): { node: GraphNode; accountId: string } | null {
    for (const account of world.accounts) {
      for (const campaign of world.campaigns(account)) {
        const accountId = nodeId(account)
        if (campaign.id === id) return { node: campaignNode(campaign, written), accountId }
        for (const adSet of campaign.adSets) {
          if (adSet.id === id) return { node: adSetNode(account, adSet, campaign, written), accountId }
          const ad = adSet.ads.find((candidate) => candidate.id === id)
          if (ad) return { node: adNode(ad, campaign.objective, baseUrl), accountId }
        }
      }
    }
    return null
  }

  function writeEntity(request: SandboxRequest, grant: Grant, node: GraphNode): SandboxReply {
    const changes = { ...readForm(request), ...(readJson(request) as Record<string, string>) }
    if (!granted(grant, 'ads_management')) return mayNotWrite
    if (node.status === 'ARCHIVED' || node.status === 'DELETED') {
      return graphError(400, 100, 'Archived objects cannot be changed', 1487056)
    }
    for (const kind of ['daily_budget', 'lifetime_budget']) {
      const amount = changes[kind]
      if (amount !== undefined && !(Number(amount) >= 100)) {
        return graphError(400, 100, 'Your budget is too low', 1885272, 'The budget must be at least 1.00.')
      }
    }
    written.set(node.id, { ...written.get(node.id), ...changes })
    writes.push({ id: node.id, at: options.now().toISOString(), ...changes })
    return { status: 200, body: { success: true } }
  }

  function node(request: SandboxRequest, grant: Grant, id: string, edge: string): SandboxReply {
    const several = request.query.get('ids')
    if (id === '' && several !== null) {
      const own = world.accounts.filter((account) => grant.accountIds.includes(nodeId(account)))
      return videosById(request, own.flatMap(world.campaigns), several.split(','))
    }
    const account = world.accounts.find((candidate) => nodeId(candidate) === id)
    if (account) {
      if (!grant.accountIds.includes(id))
        return graphError(403, 200, '(#200) Ad account owner has NOT granted access')
      const writing = request.method === 'POST'
      if (writing && !granted(grant, 'ads_management')) return mayNotWrite
      const made = { adspixels: datasets.create, customaudiences: audiences.create }[edge]
      if (writing && made) return made(request, account.id)
      return accountEdge(request, account, edge)
    }
    if (pages.some((page) => page.id === id) && edge === 'subscribed_apps') {
      if (request.method === 'DELETE') subscribedPages.delete(id)
      else subscribedPages.add(id)
      return { status: 200, body: { success: true } }
    }
    const ownsPixel = grant.accountIds.some((accountId) =>
      pixelsOf(accountId.slice('act_'.length)).some((pixel) => pixel.id === id),
    )
    if (
      request.method !== 'GET' &&
      (edge === 'events' || edge === 'users') &&
      !granted(grant, 'ads_management')
    )
      return mayNotWrite
    if (edge === 'events' && ownsPixel) return events.receive(request, id)
    const audience = edge === 'users' ? audiences.find(id) : undefined
    if (audience && grant.accountIds.includes(`act_${audience.accountId}`))
      return audiences.change(request, audience)
    const copy = datasets.findCopy(id)
    if (copy && grant.accountIds.includes(`act_${copy.accountId}`)) return datasets.changeCopy(request, id)
    const lead = leads.find(id)
    if (lead) return { status: 200, body: pickFields(request, lead) }
    const found = findEntity(id, request.baseUrl)
    if (!found || !grant.accountIds.includes(found.accountId)) {
      return graphError(400, 100, `Unsupported request. Object with ID '${id}' does not exist`, 33)
    }
    const accountId = found.accountId.slice('act_'.length)
    if (request.method === 'POST' && edge === 'copies') {
      if (granted(grant, 'ads_management')) return datasets.copy(request, accountId, found.node)
      return mayNotWrite
    }
    if (request.method === 'POST') return writeEntity(request, grant, found.node)
    return { status: 200, body: pickFields(request, datasets.promoted(accountId, found.node)) }
  }

  function route(request: SandboxRequest): SandboxReply {
    const [prefix, major] = /^\/v(\d+)\.\d+(?=\/)/.exec(request.path) ?? ['']
    const path = request.path.slice(prefix.length)
    const [first = '', second = ''] = path.slice(1).split('/')
    if (path === '/dialog/oauth') return consentPage(screen, request, options.clientId)
    if (first === 'consent') return consentAnswer(screen, request, options.clientId, second)
    if (first === 'creative') return thumbnail(second, request.baseUrl)
    // Without a version the platform falls back to the oldest one, which ads no longer have.
    if (!aliveMajors.has(major ?? ''))
      return graphError(400, 2635, 'You are calling a deprecated version of the Ads API.')
    if (path === '/oauth/access_token') return token(request)
    const grant = authenticate(request)
    if ('status' in grant) return grant
    const reply = first === 'me' ? me(request, grant, second) : node(request, grant, first, second)
    return reply ?? graphError(400, 2500, 'Unknown path components')
  }

  function thumbnail(file: string, baseUrl: string): SandboxReply {
    const found = findEntity(file.replace(/\.svg$/, ''), baseUrl)
    const creative = found?.node.creative as { title: string; object_type: string } | undefined
    if (!found || !creative) return { status: 404, body: 'Not found' }
    return thumbnailSvg(found.node.id, creative.title)
  }

  return {
    name: 'social_ads',
    handle: (request) => faults.apply(request, () => route(request)),
    fault: faults.add,
    exports: events.held,
    writes: () => [...writes],
    async act(action, args) {
      const reset = () => {
        declined.clear()
        adSetsHidden = false
        audiences.reset()
        longTtl = longTtlSeconds
      }
      const done = action === 'token_ttl' ? null : actInCommon({ tokens, faults, reset }, action, args)
      const happened = done ?? audiences.act(action, args)
      if (happened !== null) return happened
      switch (action) {
        case 'token_ttl':
          longTtl = Number(args.seconds)
          tokens.setAccessTtl(longTtl)
          return { seconds: longTtl }
        case 'restate':
          restated.set(String(args.day), Number(args.percent))
          return {}
        case 'hide_ad_sets':
          adSetsHidden = args.on !== false
          return {}
        case 'decline_permission':
          declined.add(String(args.permission))
          return {}
        case 'set_status':
          written.set(String(args.id), { ...written.get(String(args.id)), status: String(args.status) })
          return {}
        case 'lead':
        case 'webhook':
          return leads.send(args)
        case 'subscribed_pages':
          return { page_ids: [...subscribedPages] }
        default:
          throw new Error(`The social_ads sandbox cannot ${action}`)
      }
    },
  }
}
