/**
 * Descriptions of scopes on the consent page. The type requires one per scope, so that the page cannot leave one out.
 */
import { type Scope, satisfiesScope, scopes, scopesOfUserToken } from '../../../platform/contract/access.ts'
import type { AuthorizationRequest } from './rules.ts'

type Meaning = {
  /** `read`: the app receives the data. `change`: the app changes it here. `send`: data is sent to a third party. */
  effect: 'read' | 'change' | 'send'
  text: string
}

const meanings: Record<Scope, Meaning> = {
  'analytics:read': { effect: 'read', text: 'Reports: visits, conversions and revenue, without names' },
  'campaigns:read': { effect: 'read', text: 'Campaigns, ad sets and ads with their spend and results' },
  'connections:read': {
    effect: 'read',
    text: 'Which ad, CRM, payment, store, mail and calendar accounts are connected',
  },
  'conversions:read': { effect: 'read', text: 'Each conversion with its value and the ads that led to it' },
  'customers:read': {
    effect: 'read',
    text: 'Names, email addresses and phone numbers of customers; events of connected calendars, with the customers among the guests',
  },
  'exports:read': { effect: 'read', text: 'Which conversions were sent to which ad platforms' },
  'identity:read': { effect: 'read', text: 'Which visits and contacts belong to the same person' },
  'mcp:read': { effect: 'read', text: 'Everything that your reports show' },
  'mcp:read_pii': { effect: 'read', text: 'Personal data of the people in your reports' },
  'payments:read': { effect: 'read', text: 'Payments and refunds' },
  'realtime:read': { effect: 'read', text: 'Current activity on the website' },
  'tracking:read': { effect: 'read', text: 'Tracking settings, goals and domains' },
  'visitors:read': { effect: 'read', text: 'Individual visitors with their pages and devices' },
  'webhooks:read': { effect: 'read', text: 'Where events are sent by webhook' },
  'campaigns:apply': { effect: 'change', text: 'Pause, resume and set budgets of campaigns; import spend' },
  'connections:write': {
    effect: 'change',
    text: 'Connect and disconnect ad platforms, CRMs, payment providers, stores, mailboxes and calendars; create calendars',
  },
  'events:write': { effect: 'change', text: 'Record and retract events, leads and sales' },
  'identity:write': { effect: 'change', text: 'Merge people, separate them and erase them for good' },
  'messages:write': {
    effect: 'change',
    text: 'Send messages to people who wrote to the business; send mail from its connected mailbox to customers and members of the workspace',
  },
  'mcp:write': { effect: 'change', text: 'Change settings and campaigns for you' },
  'payments:write': { effect: 'change', text: 'Assign payments to people and record refunds' },
  'tracking:write': {
    effect: 'change',
    text: 'Change goals, attribution and tracking settings; create tracking keys; serve the tracking script from domains that the app chooses',
  },
  'workspaces:write': { effect: 'change', text: 'Change the workspace, its members, keys and apps' },
  'exports:write': {
    effect: 'send',
    text: 'Conversions with their value and the hashed email address and phone number of the person, and lists of customers: to pixels and ad accounts that the app chooses',
  },
  'webhooks:write': {
    effect: 'send',
    text: 'Events as they happen, with the person if the app may read customers: to web addresses that the app chooses',
  },
}

/** All scopes that the request grants, including those implied by a legacy grant or an `mcp:*` scope. */
export function grantedScopes({ plan, scopes: requested }: AuthorizationRequest): readonly Scope[] {
  if (plan === null) {
    const implied = scopesOfUserToken(requested)
    return scopes.filter((scope) => implied.includes(scope))
  }
  const plannedGrants = [plan.data, plan.connections].filter((grant) => grant !== null)
  return scopes.filter((scope) =>
    plannedGrants.some((grant) => satisfiesScope(grant.scopes, scope, grant.grant)),
  )
}

export const scopeMeanings = (grantedScopeNames: readonly Scope[], effect: Meaning['effect']): string[] =>
  grantedScopeNames.filter((scope) => meanings[scope].effect === effect).map((scope) => meanings[scope].text)
