/** Imitates the Ads API over REST (customers, GAQL streams and mutates) and the Data Manager API. */

import { actInCommon } from '../actions.ts'
import { drawThumbnail } from '../creative.ts'
import { engineError, engineSandboxOAuth } from '../engine-oauth.ts'
import { createFaults } from '../faults.ts'
import { textArg } from '../routes.ts'
import type { Sandbox, SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import type { Grant } from '../tokens.ts'
import { createCustomers } from './customers.ts'
import { createDataManager, dataManagerScope } from './data-manager.ts'
import { refuseQuery } from './field-check.ts'
import { parseGaql, runGaql } from './gaql.ts'
import { adsError } from './refusals.ts'

const resources = new Set([
  'customer',
  'customer_client',
  'campaign',
  'campaign_conversion_goal',
  'campaign_criterion',
  'click_view',
  'experiment',
  'experiment_arm',
  'ad_group',
  'ad_group_ad',
  'ad_group_criterion',
])
const batchRows = 500
/** In November 2026; v22 ended on 2026-10-07. */
const aliveMajors = new Set(['23', '24', '25', '26'])

export function createEngineAdsSandbox(options: SandboxOptions): Sandbox {
  const customers = createCustomers(options)
  const faults = createFaults()
  const writes: Record<string, unknown>[] = []
  const oauth = engineSandboxOAuth(options, {
    providerName: 'Google Ads',
    accounts: customers.accounts.map(({ id, name }) => ({ id, name })),
    scopes: ['https://www.googleapis.com/auth/adwords', dataManagerScope],
  })
  const dataManager = createDataManager(options, {
    account(grant, accountId, login) {
      const account = customers.accounts.find(({ id }) => id === accountId)
      if (!account || !grant.accountIds.includes(accountId)) return null
      if (accountId === customers.managedId && login !== customers.managerId) return null
      return { isEea: account.timezone.startsWith('Europe/') }
    },
  })

  /** The OAuth client's project has no access to real accounts. */
  let isTestProject = false

  /** The managed account is accessible through its manager only. */
  function accessible(grant: Grant): string[] {
    return grant.accountIds.map((id) => (id === customers.managedId ? customers.managerId : id))
  }

  function refusal(request: SandboxRequest, grant: Grant, customerId: string): SandboxReply | null {
    const denied = (code: string, message: string) =>
      adsError(403, 'PERMISSION_DENIED', 'authorizationError', code, message)
    if (isTestProject)
      return denied('CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION', 'The project may only call test accounts.')
    const managed = customerId === customers.managedId
    if (managed && request.headers['login-customer-id'] !== customers.managerId) {
      return denied(
        'USER_PERMISSION_DENIED',
        "The manager's customer id must be set in the 'login-customer-id' header.",
      )
    }
    const hasAccess = managed ? grant.accountIds.includes(customerId) : accessible(grant).includes(customerId)
    return hasAccess
      ? null
      : denied('USER_PERMISSION_DENIED', "User doesn't have permission to access customer.")
  }

  function search(request: SandboxRequest, customerId: string): SandboxReply {
    const { query: text } = readJson(request) as { query?: string }
    const query = parseGaql(text ?? '')
    if (!query || !resources.has(query.resource)) {
      return adsError(400, 'INVALID_ARGUMENT', 'queryError', 'UNEXPECTED_INPUT', 'Error in query.')
    }
    const queryRefusal = refuseQuery(query, customers.today(customerId))
    if (queryRefusal) return queryRefusal
    const rows = runGaql(query, customers.rows(customerId, query, request.baseUrl)).map(withNovelty)
    const batches = Array.from({ length: Math.max(1, Math.ceil(rows.length / batchRows)) }, (_, index) => {
      const results = rows.slice(index * batchRows, (index + 1) * batchRows)
      return {
        ...(results.length > 0 ? { results } : {}),
        fieldMask: query.fields.join(','),
        requestId: 'sandbox',
      }
    })
    return { status: 200, body: batches }
  }

  function mutate(request: SandboxRequest, resource: string): SandboxReply {
    type Operation = { updateMask?: string; update?: Record<string, string> }
    const { operations = [] } = readJson(request) as { operations?: Operation[] }
    for (const { update = {} } of operations) {
      const { resourceName = '', ...changes } = update
      const campaign = customers.findCampaign(resourceName)
      if (!campaign)
        return adsError(404, 'NOT_FOUND', 'mutateError', 'RESOURCE_NOT_FOUND', 'Resource was not found.')
      if (campaign.status === 'ARCHIVED') {
        return adsError(
          400,
          'INVALID_ARGUMENT',
          'contextError',
          'OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE',
          'The campaign is removed.',
        )
      }
      if (changes.amountMicros !== undefined && Number(changes.amountMicros) < 1_000_000) {
        return adsError(
          400,
          'INVALID_ARGUMENT',
          'campaignBudgetError',
          'MONEY_AMOUNT_TOO_SMALL',
          'The budget is too small.',
        )
      }
      customers.written.set(resourceName, { ...customers.written.get(resourceName), ...changes })
      writes.push({ resource, resourceName, at: options.now().toISOString(), ...changes })
    }
    const results = operations.map(({ update }) => ({ resourceName: update?.resourceName }))
    return { status: 200, body: { results } }
  }

  function api(request: SandboxRequest, grant: Grant): SandboxReply {
    const [prefix, major] = /^\/v(\d+)(?=\/)/.exec(request.path) ?? ['']
    const path = request.path.slice(prefix.length)
    if (!aliveMajors.has(major ?? ''))
      return adsError(
        400,
        'INVALID_ARGUMENT',
        'requestError',
        'UNSUPPORTED_VERSION',
        'The version of the API is not supported.',
      )
    if (path === '/customers:listAccessibleCustomers') {
      const names = [...new Set(accessible(grant))].map((id) => `customers/${id}`)
      return { status: 200, body: names.length > 0 ? { resourceNames: names } : {} }
    }
    const [, customerId, verb] = /^\/customers\/(\d+)[/:](.+)$/.exec(path) ?? []
    if (customerId === undefined || verb === undefined) return engineError(404, 'NOT_FOUND', 'Not found')
    const refusalReply = refusal(request, grant, customerId)
    if (refusalReply) return verb === 'googleAds:searchStream' ? asStream(refusalReply) : refusalReply
    switch (verb) {
      case 'googleAds:searchStream':
        return asStream(search(request, customerId))
      case 'campaigns:mutate':
      case 'adGroups:mutate':
      case 'adGroupAds:mutate':
      case 'campaignBudgets:mutate':
        return mutate(request, verb.split(':')[0]!)
      default:
        return engineError(404, 'NOT_FOUND', 'Not found')
    }
  }

  function route(request: SandboxRequest): SandboxReply | Promise<SandboxReply> {
    const thumbnail = /^\/creative\/(\d+)\.png$/.exec(request.path)?.[1]
    if (thumbnail !== undefined)
      return drawThumbnail(customers.findAd(thumbnail) ?? { id: thumbnail, name: '', format: 'static' })
    return oauth.answer(request, (_, grant) => dataManager.route(request, grant) ?? api(request, grant))
  }

  return {
    name: 'engine_ads',
    handle: (request) => faults.apply(request, () => route(request)),
    fault: faults.add,
    exports: dataManager.held,
    writes: () => [...writes],
    async act(action, args) {
      const { tokens } = oauth
      const reset = () => {
        oauth.tickPermission()
        isTestProject = false
        dataManager.reset()
      }
      const done = actInCommon({ tokens, faults, reset }, action, args) ?? dataManager.act(action, args)
      if (done !== null) return done
      switch (action) {
        case 'test_project':
          isTestProject = args.on !== false
          return {}
        case 'untick_permission':
          oauth.untickPermission(textArg(args, 'scope'))
          return {}
        case 'restate':
          customers.restated.set(String(args.day), Number(args.percent))
          return {}
        default:
          throw new Error(`The engine_ads sandbox has no action ${action}`)
      }
    },
  }
}

/** A stream's response is a list, also for errors. */
const asStream = (reply: SandboxReply): SandboxReply =>
  reply.status < 400 ? reply : { ...reply, body: [reply.body] as unknown[] }

/** Adds an unknown field, as platforms do over time. */
function withNovelty(row: Record<string, unknown>): Record<string, unknown> {
  const section = ['metrics', 'campaign'].find((name) => row[name] !== undefined)
  return section
    ? { ...row, [section]: { ...(row[section] as object), sandboxNovelty: 'in no schema' } }
    : row
}

function readJson(request: SandboxRequest): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(request.body))
  } catch {
    return {}
  }
}
