/** Imitates the Graph API: dialog, tokens, ad accounts, reports, datasets, pages and lead webhooks. */
import { actInCommon } from '../actions.ts'
import { drawThumbnail } from '../creative.ts'
import { createFaults } from '../faults.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import type { Grant } from '../tokens.ts'
import { createAudiences } from './audiences.ts'
import { uploads } from './chat-media.ts'
import { creativeEdge, videosById } from './creative-nodes.ts'
import { createDatasets } from './datasets.ts'
import { createEvents } from './events.ts'
import { refuseFields } from './field-check.ts'
import type { NodeKind } from './fields.ts'
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
import { createLogin, tokenOf } from './login.ts'
import { createMessaging } from './messaging.ts'
import { createPages } from './pages.ts'
import { graphError, listReply, pickFields, readForm, readJson } from './replies.ts'
import { createReportRuns } from './report-runs.ts'
import { withStatus } from './report-status.ts'
import { createStudies } from './studies.ts'

/** Supported versions of the Ads API in November 2026: v24.0 ended on 2026-10-06. */
const aliveMajors = new Set(['25', '26'])
const mayNotWrite = graphError(403, 200, '(#200) Requires ads_management permission to manage the object')

/** Kind of node of each edge of an ad account. */
const edgeKinds: Record<string, NodeKind> = {
  '': 'AdAccount',
  campaigns: 'Campaign',
  adsets: 'AdSet',
  ads: 'Ad',
  insights: 'AdsInsights',
  adspixels: 'AdsPixel',
  adimages: 'AdImage',
  customaudiences: 'CustomAudience',
}

type Creative = { object_type: string; object_story_spec: { link_data?: { child_attachments?: unknown } } }

/** The platform reports this as a server error. */
const tooMuchData = (): SandboxReply =>
  graphError(
    500,
    1,
    'An unknown error occurred',
    99,
    'Please reduce the amount of data you’re asking for, then retry your request',
  )

export function createSocialAdsSandbox(options: SandboxOptions): Sandbox {
  const world = graphWorld(options.seed, options.now())
  const faults = createFaults()
  const written = new Map<string, Record<string, string>>()
  const restated = new Map<string, number>()
  const declined = new Set<string>()
  const events = createEvents(options, (datasetId) => messaging.accountsOf(datasetId))
  const audiences = createAudiences(options)
  const reports = createReportRuns(options.seed)
  let adSetsHidden = false
  const writes: Record<string, unknown>[] = []
  /** Limits of report rows and page entries; larger requests are refused. */
  let most: { rows: number; page: number } | null = null

  const granted = (grant: Grant, permission: string) =>
    grant.scopes.includes(permission) && !declined.has(permission)
  const leads = createLeads(options, () => pages.first.id)
  const pages = createPages(options, leads, granted)
  const messaging = createMessaging(options, () => pages.all, granted)
  const datasets = createDatasets(options, (accountId) => pixelsOf(accountId)[0]!.id)
  const studies = createStudies(options, world)
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
  const login = createLogin(
    options,
    world.accounts.map((account) => ({ id: nodeId(account), name: account.name })),
  )
  const { tokens } = login

  function me(request: SandboxRequest, grant: Grant, edge: string): SandboxReply | null {
    switch (edge) {
      case '':
        return { status: 200, body: { id: seededDigits(15, options.seed, 'user'), name: 'Robin Harbor' } }
      case 'permissions':
        if (request.method === 'DELETE') {
          tokens.revoke(tokenOf(request) ?? '')
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
      case 'accounts':
        return pages.list(request)
      case 'businesses':
        return messaging.businesses()
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
    /** Asynchronous reports may have any size. */
    mostRows = most?.rows ?? Number.POSITIVE_INFINITY,
  ): SandboxReply {
    const campaigns = world.campaigns(account)
    const kind = edgeKinds[edge]
    const refusal = (kind && refuseFields(request, kind)) ?? refuseSize(request)
    if (refusal) return refusal
    const ofCreatives = creativeEdge(request, options, world, account, edge)
    if (ofCreatives) return ofCreatives
    const statusFilter = request.query.get('effective_status')
    const statuses = statusFilter === null ? null : (JSON.parse(statusFilter) as unknown[])
    // Deleted objects are found by id and in reports, but never through an edge.
    if (statuses?.includes('DELETED'))
      return graphError(400, 100, '(#100) Cannot Request for Deleted Objects', 1815001)
    const statusOf = (node: GraphNode) => written.get(node.id)?.status ?? node.effective_status
    const listNodes = (nodes: GraphNode[]) =>
      listReply(
        request,
        nodes
          .filter((node) => statusOf(node) !== 'DELETED')
          .filter((node) =>
            statuses ? statuses.includes(node.effective_status) : node.effective_status !== 'ARCHIVED',
          ),
      )
    switch (edge) {
      case '':
        return { status: 200, body: pickFields(request, accountNode(account)) }
      case 'campaigns':
        return listNodes(campaigns.map((campaign) => campaignNode(campaign, written)))
      case 'adsets':
        if (adSetsHidden) return graphError(403, 200, '(#200) Ad sets cannot be read')
        return listNodes(datasets.adSets(account.id, adSetsOf(account)))
      case 'ads':
        return listNodes(
          campaigns.flatMap((c) =>
            c.adSets.flatMap((s) => s.ads.map((ad) => adNode(ad, c, { baseUrl: request.baseUrl, written }))),
          ),
        )
      case 'ad_studies':
        return listReply(request, studies.of(nodeId(account)))
      case 'adspixels':
        return listReply(request, pixelsOf(account.id))
      case 'insights': {
        const range = JSON.parse(request.query.get('time_range') ?? '{}') as { since: string; until: string }
        const level = (request.query.get('level') ?? 'campaign') as InsightsQuery['level']
        const nothingDeleted = ![...written.values()].some(({ status }) => status === 'DELETED')
        const asksDeleted = request.query.get('filtering')?.includes('"DELETED"') === true
        const rows =
          asksDeleted && nothingDeleted
            ? []
            : insightRows(world, account, {
                level,
                ...range,
                restated,
                now: options.now(),
                seed: options.seed,
              })
        const isDeleted = (row: GraphNode) => written.get(String(row[`${level}_id`]))?.status === 'DELETED'
        const matching = withStatus(request, level, rows, isDeleted)
        if (!Array.isArray(matching)) return matching
        if (matching.length > mostRows) return tooMuchData()
        return listReply(request, matching, 'date_start,date_stop')
      }
      default:
        return graphError(400, 100, `Tried accessing nonexisting field (${edge})`)
    }
  }

  const refuseSize = (request: SandboxRequest): SandboxReply | null =>
    most !== null && Number(request.query.get('limit') ?? 25) > most.page ? tooMuchData() : null

  function findEntity(id: string, baseUrl: string): { node: GraphNode; accountId: string } | null {
    for (const account of world.accounts) {
      for (const campaign of world.campaigns(account)) {
        const accountId = nodeId(account)
        if (campaign.id === id) return { node: campaignNode(campaign, written), accountId }
        for (const adSet of campaign.adSets) {
          if (adSet.id === id) return { node: adSetNode(account, adSet, campaign, written), accountId }
          const ad = adSet.ads.find((candidate) => candidate.id === id)
          if (ad) return { node: adNode(ad, campaign, { baseUrl, written }), accountId }
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

  function node(
    request: SandboxRequest,
    grant: Grant,
    id: string,
    edge: string,
  ): SandboxReply | Promise<SandboxReply> {
    const several = request.query.get('ids')
    if (id === '' && several !== null) {
      const ownAccounts = world.accounts.filter((account) => grant.accountIds.includes(nodeId(account)))
      return videosById(request, ownAccounts.flatMap(world.campaigns), several.split(','))
    }
    const account = world.accounts.find((candidate) => nodeId(candidate) === id)
    if (account) {
      if (!grant.accountIds.includes(id))
        return graphError(403, 200, '(#200) Ad account owner has NOT granted access')
      const writing = request.method === 'POST'
      if (writing && edge === 'insights') return reports.start(request, id)
      if (writing && !granted(grant, 'ads_management')) return mayNotWrite
      const create = { adspixels: datasets.create, customaudiences: audiences.create }[edge]
      if (writing && create) return create(request, account.id)
      return accountEdge(request, account, edge)
    }
    const ofReport = reports.answer(request, grant.accountIds, id, edge, (insightsRequest, accountId) => {
      const owner = world.accounts.find((candidate) => nodeId(candidate) === accountId)!
      return accountEdge(insightsRequest, owner, 'insights', Number.POSITIVE_INFINITY)
    })
    if (ofReport) return ofReport
    const ofPage = messaging.answer(request, grant, id, edge) ?? pages.answer(request, grant, id, edge)
    if (ofPage) return ofPage
    const ownsPixel = grant.accountIds.some((accountId) =>
      pixelsOf(accountId.slice('act_'.length)).some((pixel) => pixel.id === id),
    )
    if (
      request.method !== 'GET' &&
      (edge === 'events' || edge === 'users') &&
      !granted(grant, 'ads_management')
    )
      return mayNotWrite
    if (edge === 'events' && (ownsPixel || messaging.isDataset(id))) return events.receive(request, id)
    const audience = edge === 'users' ? audiences.find(id) : undefined
    if (audience && grant.accountIds.includes(`act_${audience.accountId}`))
      return audiences.change(request, audience)
    const copy = datasets.findCopy(id)
    if (copy && grant.accountIds.includes(`act_${copy.accountId}`)) return datasets.changeCopy(request, id)
    const ofStudy = studies.edge(grant.accountIds, id, edge)
    if (ofStudy) return listReply(request, ofStudy)
    const entity = findEntity(id, request.baseUrl)
    if (!entity || !grant.accountIds.includes(entity.accountId)) {
      return graphError(400, 100, `Unsupported request. Object with ID '${id}' does not exist`, 33)
    }
    const accountId = entity.accountId.slice('act_'.length)
    if (request.method === 'POST' && edge === 'copies') {
      if (granted(grant, 'ads_management')) return datasets.copy(request, accountId, entity.node)
      return mayNotWrite
    }
    if (request.method === 'POST') return writeEntity(request, grant, entity.node)
    return { status: 200, body: pickFields(request, datasets.promoted(accountId, entity.node)) }
  }

  function route(request: SandboxRequest): SandboxReply | Promise<SandboxReply> {
    const [prefix, major] = /^\/v(\d+)\.\d+(?=\/)/.exec(request.path) ?? ['']
    const path = request.path.slice(prefix.length)
    const [first = '', second = ''] = path.slice(1).split('/')
    if (path === '/dialog/oauth') return login.page(request)
    if (first === 'consent') return login.answer(request, second)
    if (first === 'photo-login') return messaging.photo(request, path.slice('/photo-login'.length))
    if (first === 'creative') return thumbnail(second, request.baseUrl)
    // Without a version the platform uses the oldest one, which the Ads API no longer supports.
    if (!aliveMajors.has(major ?? ''))
      return graphError(400, 2635, 'You are calling a deprecated version of the Ads API.')
    if (path === '/oauth/access_token') return login.token(request)
    if (path === '/debug_token') return login.inspect(request)
    if (first.startsWith('upload:')) {
      const uploadReply = messaging.takeUpload(request, first)
      if (uploadReply) return uploadReply
    }
    const grant = login.authenticate(request)
    if ('status' in grant) return grant
    const reply = first === 'me' ? me(request, grant, second) : node(request, grant, first, second)
    return reply ?? graphError(400, 2500, 'Unknown path components')
  }

  async function thumbnail(file: string, baseUrl: string): Promise<SandboxReply> {
    const entity = findEntity(file.replace(/\.png$/, ''), baseUrl)
    const creative = entity?.node.creative as Creative | undefined
    if (!entity || !creative) return { status: 404, body: 'Not found' }
    const { object_type: type, object_story_spec: story } = creative
    const format = type === 'VIDEO' ? 'video' : story.link_data?.child_attachments ? 'carousel' : 'static'
    return drawThumbnail({ id: entity.node.id, name: String(entity.node.name), format })
  }

  return {
    name: 'social_ads',
    ...uploads,
    handle: (request) => faults.apply(request, () => route(request)),
    fault: faults.add,
    exports: events.held,
    writes: () => [...writes],
    async act(action, args) {
      const reset = () => {
        declined.clear()
        adSetsHidden = false
        audiences.reset()
        most = null
        reports.setSpeed({})
        messaging.reset()
        login.setLongTtl(null)
      }
      const done = action === 'token_ttl' ? null : actInCommon({ tokens, faults, reset }, action, args)
      const happened = done ?? audiences.act(action, args) ?? messaging.act(action, args)
      if (happened !== null) return happened
      switch (action) {
        case 'token_ttl':
          login.setLongTtl(Number(args.seconds))
          return { seconds: Number(args.seconds) }
        case 'most_data':
          most = { rows: Number(args.rows ?? 1e9), page: Number(args.page ?? 1e9) }
          return {}
        case 'report_runs':
          if (args.forget === true) reports.forget()
          reports.setSpeed(args)
          return {}
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
          return { page_ids: pages.subscribed() }
        default:
          throw new Error(`The social_ads sandbox has no action ${action}`)
      }
    },
  }
}
