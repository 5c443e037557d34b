/** Connector of the engine ads platform: Ads API over REST (accessible customers, GAQL, mutates) and Data Manager API for conversions. */
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import {
  type Account,
  type Connector,
  type ProviderApp,
  ProviderError,
  type Session,
  type StatusTarget,
  type TokenSet,
} from '../connector.ts'
import { engineOAuth } from '../engine-oauth.ts'
import { createCustomerList, removeFromCustomerList, uploadCustomerList } from './audiences.ts'
import { callAds, numericId, searchStream } from './calls.ts'
import { dataManagerScope } from './data-manager.ts'
import { listExperiments } from './experiments.ts'
import { exportConversions, previewExport, readExportStatus } from './exports.ts'
import { minorToMicros, toAccount, toBudget, toStatus } from './mapping.ts'
import { syncPage } from './sync.ts'

const oauth = engineOAuth('https://www.googleapis.com/auth/adwords', [dataManagerScope])

const AccessibleCustomers = z.looseObject({ resourceNames: z.array(z.string()).nullish() })
const customerFields = ['id', 'descriptive_name', 'currency_code', 'time_zone', 'manager']
const selectCustomer = (resource: string) => customerFields.map((field) => `${resource}.${field}`).join(', ')

/** Accessible accounts and the accounts below accessible manager accounts, without the managers themselves. */
async function listAccounts(http: Outbound, app: ProviderApp, token: TokenSet): Promise<Account[]> {
  const { resourceNames } = await callAds(
    { http, app, token },
    '/customers:listAccessibleCustomers',
    AccessibleCustomers,
  )
  const accounts = new Map<string, Account>()
  for (const name of resourceNames ?? []) {
    for (const account of await accountsBehind(http, app, token, name.replace('customers/', ''))) {
      if (!accounts.has(account.id)) accounts.set(account.id, account)
    }
  }
  return [...accounts.values()]
}

async function accountsBehind(
  http: Outbound,
  app: ProviderApp,
  token: TokenSet,
  id: string,
): Promise<Account[]> {
  try {
    const caller = { http, app, token, loginCustomerId: id }
    const [row] = await searchStream(caller, id, `SELECT ${selectCustomer('customer')} FROM customer`)
    if (!row?.customer) return []
    if (row.customer.manager !== true) return [toAccount(row.customer)]
    const clients = await searchStream(
      caller,
      id,
      `SELECT ${selectCustomer('customer_client')} FROM customer_client WHERE customer_client.manager = FALSE AND customer_client.status = 'ENABLED'`,
    )
    return clients.flatMap(({ customerClient }) =>
      customerClient ? [{ ...toAccount(customerClient), tokenExtra: { loginCustomerId: id } }] : [],
    )
  } catch (error) {
    // The list also contains closed customers, which must not hide the others.
    if (error instanceof ProviderError && error.reason === 'permission_missing') return []
    throw error
  }
}

async function readCampaign(session: Session, id: string) {
  const query = `SELECT customer.id, customer.currency_code, campaign.id, campaign.status, campaign.serving_status, campaign_budget.resource_name, campaign_budget.amount_micros, campaign_budget.total_amount_micros FROM campaign WHERE campaign.id = ${numericId(id)}`
  const [row] = await searchStream(session, session.accountId, query)
  if (!row?.campaign) throw new ProviderError('not_found', 'The account has no such campaign')
  const currency = row.customer?.currencyCode
  if (!currency) throw new ProviderError('malformed', 'The account has no currency')
  const status = toStatus(row.campaign.status)
  if (status === null) throw new ProviderError('malformed', 'The campaign has no status')
  return { row, currency, status, ...toBudget(row, currency) }
}

/** An ad group or an ad; neither has a budget. An ad is addressed by the ids of its ad group and its own. */
async function readBelowCampaign(session: Session, level: 'ad_set' | 'ad', id: string) {
  const [resource, idField] =
    level === 'ad_set' ? ['ad_group', 'ad_group.id'] : ['ad_group_ad', 'ad_group_ad.ad.id']
  const fields = [
    ...new Set([idField, `${resource}.status`, 'ad_group.id', 'campaign.id', 'campaign.status']),
  ]
  const query = `SELECT ${fields.join(', ')} FROM ${resource} WHERE ${idField} = ${numericId(id)}`
  const [row] = await searchStream(session, session.accountId, query)
  const entity = level === 'ad_set' ? row?.adGroup : row?.adGroupAd
  if (!entity || !row?.adGroup)
    throw new ProviderError('not_found', `The account has no such ${level === 'ad' ? 'ad' : 'ad group'}`)
  const status = toStatus(entity.status)
  if (status === null) throw new ProviderError('malformed', 'The response has no status')
  return {
    status,
    effectiveStatus: null,
    campaignStatus: toStatus(row.campaign?.status ?? null),
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: null,
    adGroupId: row.adGroup.id,
  }
}

const statusResources = { campaign: 'campaigns', ad_set: 'adGroups', ad: 'adGroupAds' } as const

async function statusResourceName(session: Session, { level, externalId }: StatusTarget): Promise<string> {
  const id = numericId(externalId)
  const name =
    level === 'ad' ? `${(await readBelowCampaign(session, level, externalId)).adGroupId}~${id}` : id
  return `customers/${session.accountId}/${statusResources[level]}/${name}`
}

async function mutate(session: Session, resource: string, mask: string, update: Record<string, string>) {
  const path = `/customers/${session.accountId}/${resource}:mutate`
  await callAds(session, path, z.looseObject({}), { operations: [{ updateMask: mask, update }] })
}

const adGroupsHaveNoBudget = () => new ProviderError('rejected', 'Ad groups have no budget on this platform')

export const engineAds: Connector = {
  provider: 'engine_ads',
  accountKind: 'ad_account',
  exclusiveAccount: true,
  oauth,
  listAccounts,
  sync: { page: syncPage },
  exports: { send: exportConversions, preview: previewExport, readStatus: readExportStatus },
  audiences: { create: createCustomerList, upload: uploadCustomerList, remove: removeFromCustomerList },
  experiments: { list: listExperiments },
  ads: {
    async readStatus(session, { level, externalId }) {
      if (level !== 'campaign') return readBelowCampaign(session, level, externalId)
      const { status, dailyBudgetMinor, lifetimeBudgetMinor } = await readCampaign(session, externalId)
      return { status, effectiveStatus: null, campaignStatus: status, dailyBudgetMinor, lifetimeBudgetMinor }
    },
    async setStatus(session, target, status) {
      await mutate(session, statusResources[target.level], 'status', {
        resourceName: await statusResourceName(session, target),
        status: status === 'ACTIVE' ? 'ENABLED' : 'PAUSED',
      })
    },
    async setBudget(session, target, budget) {
      if (target.level === 'ad_set') throw adGroupsHaveNoBudget()
      const { row, currency } = await readCampaign(session, target.externalId)
      const resourceName = row.campaignBudget?.resourceName
      if (!resourceName) throw new ProviderError('rejected', 'The campaign has no separate budget')
      const micros = minorToMicros(budget.amountMinor, currency)
      await (budget.type === 'daily'
        ? mutate(session, 'campaignBudgets', 'amount_micros', { resourceName, amountMicros: micros })
        : mutate(session, 'campaignBudgets', 'total_amount_micros', {
            resourceName,
            totalAmountMicros: micros,
          }))
    },
    async readBudget(session, target) {
      if (target.level === 'ad_set') throw adGroupsHaveNoBudget()
      const { status, dailyBudgetMinor, lifetimeBudgetMinor } = await readCampaign(session, target.externalId)
      return { status, campaignStatus: status, dailyBudgetMinor, lifetimeBudgetMinor }
    },
  },
}
