/**
 * Imitates LinkedIn's Marketing API over Rest.li 2.0.0. Written from learn.microsoft.com/en-us/linkedin (versioning, cursor
 * based pagination, reporting, creatives, posts, refresh tokens, query tunnelling), read as stored copies on 2026-11-17.
 */
import { actInCommon } from '../actions.ts'
import { drawThumbnail } from '../creative.ts'
import { createFaults } from '../faults.ts'
import { numberArg, readJson, textArg } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { Grant } from '../tokens.ts'
import { createAccounts, entityIn } from './accounts.ts'
import { createAnalytics } from './analytics.ts'
import { refusalOfChange } from './changes.ts'
import { createConversions } from './conversions.ts'
import { createLeads } from './leads.ts'
import { createLogin } from './login.ts'
import { refuse } from './refusals.ts'
import { readQuery, textsIn, type Value } from './restli.ts'

/** In November 2026. */
const aliveVersions = [
  '202512',
  '202601',
  '202602',
  '202603',
  '202604',
  '202605',
  '202606',
  '202607',
  '202608',
]
const MAX_QUERY_LENGTH = 4096
/** The first page of a list is shorter than requested, and not the last. */
const FIRST_PAGE = 2

export function createLinkedinAdsSandbox(options: SandboxOptions): Sandbox {
  const world = createAccounts(options)
  const analytics = createAnalytics(options, world)
  const leads = createLeads(options, world)
  const conversions = createConversions(options)
  const login = createLogin(options, world.accounts)
  const faults = createFaults()
  let versions = aliveVersions
  let maxQueryLength = MAX_QUERY_LENGTH
  let lostRoles = new Set<string>()
  let isPostsClosed = false
  let isOverLimit = false
  /** By the URN of a campaign or an account. */
  const tracking = new Map<string, Record<string, unknown>>()
  const tunnelled: string[] = []
  const writes: Record<string, unknown>[] = []

  const readable = (grant: Grant) => grant.accountIds.filter((id) => !lostRoles.has(id))

  function page(items: Record<string, unknown>[], query: Record<string, Value>): SandboxReply {
    const size = Number(query.pageSize ?? 100)
    if (!Number.isInteger(size) || size < 1 || size > 1000)
      return refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid pageSize')
    const start =
      query.pageToken === undefined ? 0 : Number(/^t(\d+)$/.exec(String(query.pageToken))?.[1] ?? NaN)
    if (Number.isNaN(start)) return refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid pageToken')
    const end = start + (start === 0 ? Math.min(size, FIRST_PAGE) : size)
    const metadata = end < items.length ? { nextPageToken: `t${end}` } : {}
    return { status: 200, body: { elements: items.slice(start, end), metadata } }
  }

  function posts(grant: Grant, query: Record<string, Value>): SandboxReply {
    if (isPostsClosed || !grant.scopes.includes('r_organization_social'))
      return refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: partnerApiPostsExternal', 100)
    const results: Record<string, unknown> = {}
    const errors: Record<string, unknown> = {}
    for (const id of textsIn(query.ids)) {
      const post = world.findPost(id)
      if (post === null) errors[id] = { status: 404, message: 'Post not found' }
      else results[id] = post
    }
    return { status: 200, body: { results, statuses: {}, errors } }
  }

  function media(find: typeof world.findImage, ids: readonly string[], baseUrl: string): SandboxReply {
    const files = ids.map((id) => [id, find(id, baseUrl)] as const)
    const existing = files.filter(([, file]) => file !== null)
    const missing = files.filter(([, file]) => file === null)
    const errors = missing.map(([id]) => [id, { status: 404, message: 'Not found' }])
    return {
      status: 200,
      body: { results: Object.fromEntries(existing), statuses: {}, errors: Object.fromEntries(errors) },
    }
  }

  function trackingOf(key: string): SandboxReply {
    const [, kind, id] =
      /^\(adEntity:\((sponsoredAccount|sponsoredCampaign):(urn:li:\1:\d+)\)\)$/.exec(key) ?? []
    if (kind === undefined || id === undefined) return refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid key')
    const body = tracking.get(id)
    return body === undefined ? refuse(404, 'RESOURCE_NOT_FOUND', 'No such resource') : { status: 200, body }
  }

  const lists = new Map([
    ['adCampaignGroups', world.campaignGroups],
    ['adCampaigns', world.campaigns],
    ['creatives', world.creatives],
  ])
  const listsOf = (account: (typeof world.accounts)[number], list: string) => lists.get(list)?.(account) ?? []

  function placeOf(grant: Grant, path: string) {
    const [, accountId = '', list, key] = /^\/adAccounts\/(\d+)(?:\/(\w+)(?:\/([^/]+))?)?$/.exec(path) ?? []
    const account = world.accounts.find(({ id }) => id === accountId)
    if (account === undefined) return refuse(404, 'RESOURCE_NOT_FOUND', 'No such resource')
    if (!readable(grant).includes(accountId))
      return refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: adAccounts', 100)
    return { account, list, key: key === undefined ? undefined : decodeURIComponent(key) }
  }

  function change(grant: Grant, path: string, body: Record<string, unknown>): SandboxReply {
    const target = placeOf(grant, path)
    if ('status' in target) return target
    const { account, list = '', key = '' } = target
    const entity = entityIn(listsOf(account, list), key)
    if (entity === null) return refuse(404, 'RESOURCE_NOT_FOUND', 'No such resource')
    if (!grant.scopes.includes('rw_ads'))
      return refuse(403, 'ACCESS_DENIED', `Not enough permissions to access: ${list}.PARTIAL_UPDATE`, 100)
    const fields = ((body.patch ?? {}) as { $set?: Record<string, unknown> }).$set ?? {}
    const refusal = refusalOfChange(list, account.currency, fields)
    if (refusal !== null) return refusal
    world.change(list, entity.id, fields)
    writes.push({ list, id: key, ...fields })
    return { status: 204, body: '' }
  }

  function answer(grant: Grant, path: string, query: Record<string, Value>, baseUrl: string): SandboxReply {
    if (path.startsWith('/adTrackingParameters/'))
      return trackingOf(decodeURIComponent(path.slice('/adTrackingParameters/'.length)))
    if (path === '/images') return media(world.findImage, textsIn(query.ids), baseUrl)
    if (path === '/videos') return media(world.findVideo, textsIn(query.ids), baseUrl)
    if (path === '/adAnalytics') return analytics.answer(readable(grant), query)
    if (path === '/posts') return posts(grant, query)
    if (path.startsWith('/lead')) {
      if (!grant.scopes.includes('r_marketing_leadgen_automation'))
        return refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: leadFormResponses', 100)
      const [, , id] = path.split('/')
      if (path === '/leadNotifications') return leads.subscriptions(readable(grant), query)
      return id === undefined
        ? leads.list(readable(grant), query)
        : leads.read(readable(grant), decodeURIComponent(id))
    }
    if (path === '/adAccounts') {
      if (query.q !== 'search') return refuse(400, 'ILLEGAL_ARGUMENT', 'Unknown finder')
      const ownAccounts = world.accounts.filter(({ id }) => readable(grant).includes(id))
      return page(ownAccounts.map(world.account), query)
    }
    const target = placeOf(grant, path)
    if ('status' in target) return target
    const { account, list, key } = target
    if (list !== undefined && key !== undefined) {
      const entity = entityIn(listsOf(account, list), key)
      return entity === null
        ? refuse(404, 'RESOURCE_NOT_FOUND', 'No such resource')
        : { status: 200, body: entity }
    }
    const isSearch = query.q === 'search'
    if (list === undefined) return { status: 200, body: world.account(account) }
    if (list === 'adCampaignGroups' && isSearch) return page(world.campaignGroups(account), query)
    if (list === 'adCampaigns' && isSearch) return page(world.campaigns(account), query)
    if (list === 'creatives' && query.q === 'criteria') return page(world.creatives(account), query)
    return refuse(404, 'RESOURCE_NOT_FOUND', 'No such resource')
  }

  function api(request: SandboxRequest): SandboxReply {
    const version = request.headers['linkedin-version'] ?? ''
    if (!versions.includes(version))
      return refuse(426, 'NONEXISTENT_VERSION', `Requested version ${version} is not active`)
    if (request.headers['x-restli-protocol-version'] !== '2.0.0')
      return refuse(400, 'ILLEGAL_ARGUMENT', 'Use protocol version 2.0.0')
    const grant = login.authenticate(request)
    if (grant === null) return login.refused()
    if (isOverLimit)
      return refuse(
        429,
        'TOO_MANY_REQUESTS',
        'Resource level throttle limit for calls to this resource is reached',
      )
    if (request.rawQuery.length > maxQueryLength) return { status: 414, body: 'URI Too Long' }
    const path = request.path.slice('/rest'.length)
    const isTunnelled =
      request.method === 'POST' && request.headers['x-http-method-override']?.toUpperCase() === 'GET'
    if (isTunnelled) tunnelled.push(path)
    if (!isTunnelled && request.method === 'POST' && path === '/conversionEvents')
      return grant.scopes.includes('rw_conversions')
        ? conversions.receive(request.headers['x-restli-method']?.toUpperCase(), readJson(request))
        : refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: conversionEvents', 100)
    if (!isTunnelled && request.method === 'POST' && path === '/leadNotifications')
      return leads.subscribe(readable(grant), readJson(request))
    if (request.method === 'POST' && request.headers['x-restli-method'] === 'PARTIAL_UPDATE')
      return change(grant, path, readJson(request))
    if (!isTunnelled && request.method !== 'GET') return refuse(405, 'METHOD_NOT_ALLOWED', 'Not allowed')
    const query = readQuery(isTunnelled ? Buffer.from(request.body).toString() : request.rawQuery)
    return query === null
      ? refuse(400, 'ILLEGAL_ARGUMENT', 'Invalid query parameters passed to request')
      : answer(grant, path, query, request.baseUrl)
  }

  function route(request: SandboxRequest): SandboxReply | Promise<SandboxReply> {
    const picture = world.findAd(/^\/creative\/(\d+)\.png$/.exec(request.path)?.[1] ?? '')
    if (picture !== undefined) return drawThumbnail(picture)
    if (request.path.startsWith('/rest/')) return api(request)
    return login.route(request) ?? refuse(404, 'RESOURCE_NOT_FOUND', 'No such resource')
  }

  function reset(): void {
    versions = aliveVersions
    maxQueryLength = MAX_QUERY_LENGTH
    lostRoles = new Set()
    isPostsClosed = false
    isOverLimit = false
    tracking.clear()
    login.setPartner(true)
    login.untick(null)
    login.setProducts(login.allProducts)
    analytics.reset()
  }

  return {
    name: 'linkedin_ads',
    handle: (request) => faults.apply(request, () => route(request)),
    fault: faults.add,
    exports: conversions.list,
    writes: () => [...writes],
    async act(action, args) {
      const done = actInCommon({ tokens: login.tokens, faults, reset }, action, args)
      if (done !== null) return done
      const accountId = textArg(args, 'account_id') ?? world.accounts[0].id
      switch (action) {
        case 'restate':
          analytics.restate(String(args.day), Number(args.percent))
          return {}
        case 'partner':
          login.setPartner(args.on !== false)
          return {}
        case 'app_products':
          login.setProducts(Array.isArray(args.products) ? args.products.map(String) : [])
          return {}
        case 'untick_permission':
          login.untick(textArg(args, 'scope'))
          return {}
        case 'end_version':
          versions = versions.slice(0, -1)
          return {}
        case 'query_limit':
          maxQueryLength = Number(args.length)
          return {}
        case 'lose_role':
          lostRoles.add(accountId)
          return {}
        case 'track':
          tracking.set(String(args.urn), args.parameters as Record<string, unknown>)
          return {}
        case 'close_posts':
          isPostsClosed = true
          return {}
        case 'reach_limit':
          isOverLimit = args.on !== false
          return {}
        case 'fill_report':
          analytics.fill(accountId, numberArg(args, 'campaigns') ?? 20, numberArg(args, 'creatives') ?? 100)
          return {}
        case 'delete_conversion':
          conversions.deleteRule(String(args.id))
          return {}
        case 'lead':
          return leads.leave(accountId, args)
        case 'delete_lead':
          return leads.withdraw(accountId, String(args.id))
        case 'look':
          return {
            subscriptions: leads.look(),
            tunnelled: [...tunnelled],
            broken: world.broken,
            orphan: world.orphan,
          }
        default:
          throw new Error(`The linkedin_ads sandbox has no action ${action}`)
      }
    },
  }
}
