/** Pages of the sandbox's business: their tokens, webhook subscriptions, forms and leads. */

import type { SandboxOptions, SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import type { Grant } from '../tokens.ts'
import { refuseFields } from './field-check.ts'
import type { GraphNode } from './graph.ts'
import type { Leads } from './leads.ts'
import { tokenOf } from './login.ts'
import { graphError, listReply, pickFields, readForm, readJson } from './replies.ts'

/** From the client's list of events that an app can subscribe to. */
const subscribable = [
  'feed',
  'leadgen',
  'messages',
  'message_echoes',
  'message_deliveries',
  'messaging_postbacks',
  'messaging_referrals',
  'mention',
]

type Granted = (grant: Grant, permission: string) => boolean

export function createPages(options: SandboxOptions, leads: Leads, granted: Granted) {
  const subscribed = new Map<string, string[]>()
  const pages = ['Harbor & Pine', 'Harbor & Pine Showroom'].map((name, index) => ({
    id: seededDigits(15, options.seed, 'page', index),
    name,
    category: 'Kitchen & bath contractor',
    instagram_business_account: {
      id: seededDigits(17, options.seed, 'photo account', index),
      username: `harbor.and.pine.${index}`,
    },
  }))

  /** With the page's token, which is the person's here. */
  const nodeOf = (page: (typeof pages)[number], request: SandboxRequest): GraphNode => ({
    ...page,
    access_token: tokenOf(request),
  })

  function subscribe(request: SandboxRequest, grant: Grant, pageId: string): SandboxReply {
    if (!granted(grant, 'pages_manage_metadata'))
      return graphError(403, 200, '(#200) Requires pages_manage_metadata permission to manage the object')
    if (request.method === 'DELETE') {
      subscribed.delete(pageId)
      return { status: 200, body: { success: true } }
    }
    if (request.method === 'GET') {
      const fields = subscribed.get(pageId)
      const data = fields ? [{ id: options.clientId, name: 'Whence', subscribed_fields: fields }] : []
      return { status: 200, body: { data } }
    }
    const { subscribed_fields: requestedFields } = {
      ...readForm(request),
      ...(readJson(request) as object),
    } as {
      subscribed_fields?: string | string[]
    }
    const fields = [requestedFields ?? []].flat().flatMap((list) => list.split(','))
    const unknown = fields.find((field) => !subscribable.includes(field))
    if (fields.length === 0 || unknown !== undefined)
      return graphError(
        400,
        100,
        `(#100) Param subscribed_fields[0] must be one of {${subscribable.join(', ')}} - got "${unknown ?? ''}"`,
      )
    subscribed.set(pageId, fields)
    return { status: 200, body: { success: true } }
  }

  function readLeadEdge(request: SandboxRequest, grant: Grant, nodes: GraphNode[]): SandboxReply {
    const missing = ['leads_retrieval', 'pages_manage_ads', 'ads_management'].find(
      (permission) => !granted(grant, permission),
    )
    return missing === undefined
      ? listReply(request, nodes)
      : graphError(403, 200, `(#200) Requires ${missing} permission to manage the object`)
  }

  return {
    first: pages[0]!,
    all: pages,
    subscribed: () => [...subscribed.keys()],
    subscribedFields: (pageId: string) => subscribed.get(pageId) ?? [],
    list: (request: SandboxRequest) =>
      refuseFields(request, 'Page') ??
      listReply(
        request,
        pages.map((page) => nodeOf(page, request)),
      ),
    /** Null if the id is neither a page nor a form nor a lead. */
    answer(request: SandboxRequest, grant: Grant, id: string, edge: string): SandboxReply | null {
      const page = pages.find((candidate) => candidate.id === id)
      if (page !== undefined) {
        if (edge === 'subscribed_apps') return subscribe(request, grant, id)
        if (edge === 'leadgen_forms')
          return refuseFields(request, 'LeadgenForm') ?? readLeadEdge(request, grant, leads.formsOf(id))
        if (edge === '')
          return (
            refuseFields(request, 'Page') ?? { status: 200, body: pickFields(request, nodeOf(page, request)) }
          )
        return graphError(400, 100, `Tried accessing nonexisting field (${edge})`)
      }
      if (edge === 'leads' && leads.isForm(id)) {
        const since = createdAfter(request)
        if (typeof since === 'object') return since
        return refuseFields(request, 'Lead') ?? readLeadEdge(request, grant, leads.ofForm(id, since))
      }
      const lead = leads.find(id)
      if (lead === undefined) return null
      return refuseFields(request, 'Lead') ?? { status: 200, body: pickFields(request, lead) }
    },
  }
}

/** Unix seconds of the only filter that leads support; 0 without a filter. */
function createdAfter(request: SandboxRequest): number | SandboxReply {
  const text = request.query.get('filtering')
  if (text === null) return 0
  const [filter, ...otherFilters] = JSON.parse(text) as {
    field?: string
    operator?: string
    value?: unknown
  }[]
  const isKnown = filter?.field === 'time_created' && filter.operator === 'GREATER_THAN'
  if (!isKnown || otherFilters.length > 0)
    return graphError(400, 100, '(#100) Filtering field is invalid for this edge')
  return Number(filter.value)
}
