/**
 * Reads and changes status and budget. Smart+ has separate endpoints; GMV Max campaigns use the common ones and
 * store their budget elsewhere.
 */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import { ProviderError, type Session, type StatusTarget } from '../connector.ts'
import { readableItems } from '../set-aside.ts'
import { callTiktok, orElse, readPage } from './calls.ts'
import { gmvMaxCampaigns } from './gmv-max.ts'
import { toBudget, toStatus } from './mapping.ts'
import { Ad, AdGroup, Campaign, SmartAd, SmartAdGroup } from './replies.ts'
import { accountCurrency } from './sync.ts'

type Level = StatusTarget['level']
type StatusEntity = {
  operation_status: string | null
  secondary_status: string | null
  budget?: number | null | undefined
  budget_mode?: string | null | undefined
  campaign_id: string
}
type Endpoint = {
  name: string
  list: string
  idsName: string
  item: z.ZodType<StatusEntity>
  filtering?: object
}

const routes = (name: string, idsName: string, item: z.ZodType<StatusEntity>): Endpoint => ({
  name,
  list: `/${name}/get/`,
  idsName,
  item,
})
const endpoints: Record<Level, readonly Endpoint[]> = {
  campaign: [
    routes('campaign', 'campaign_ids', Campaign),
    routes('smart_plus/campaign', 'campaign_ids', Campaign),
    {
      ...routes('campaign', 'campaign_ids', Campaign),
      list: '/gmv_max/campaign/get/',
      filtering: gmvMaxCampaigns.filtering,
    },
  ],
  ad_set: [
    routes('adgroup', 'adgroup_ids', AdGroup),
    routes('smart_plus/adgroup', 'adgroup_ids', SmartAdGroup),
  ],
  ad: [routes('ad', 'ad_ids', Ad), routes('smart_plus/ad', 'smart_plus_ad_ids', SmartAd)],
}

async function find(session: Session, { level, externalId }: StatusTarget) {
  for (const [index, endpoint] of endpoints[level].entries()) {
    const filtering = {
      primary_status: 'STATUS_ALL',
      ...endpoint.filtering,
      [endpoint.idsName]: [externalId],
    }
    const request = {
      kind: level,
      path: endpoint.list,
      item: endpoint.item,
      query: { filtering },
      pageSize: 10,
    }
    const read = () => readPage(session, request, 1)
    const { items } = await (index === 0 ? read() : orElse(read, () => ({ items: [], next: null })))
    const [entity] = readableItems(items)
    if (entity !== undefined) return { endpoint, entity }
  }
  throw new ProviderError('not_found', `The account has no such ${level.replace('_', ' ')}`)
}

export async function readStatus(session: Session, target: StatusTarget) {
  const { entity } = await find(session, target)
  const status = toStatus(entity)
  if (status === null) throw new ProviderError('malformed', 'The response has no status')
  const campaign =
    target.level === 'campaign'
      ? entity
      : (await find(session, { level: 'campaign', externalId: entity.campaign_id })).entity
  const currency = await accountCurrency(session)
  return {
    status,
    effectiveStatus: entity.secondary_status,
    campaignStatus: toStatus(campaign),
    ...toBudget({ budget: entity.budget, budget_mode: entity.budget_mode ?? null }, currency),
  }
}

export async function setStatus(
  session: Session,
  target: StatusTarget,
  status: 'ACTIVE' | 'PAUSED',
): Promise<void> {
  const { endpoint } = await find(session, target)
  await callTiktok(session, `/${endpoint.name}/status/update/`, {
    json: {
      advertiser_id: session.accountId,
      [endpoint.idsName]: [target.externalId],
      operation_status: status === 'ACTIVE' ? 'ENABLE' : 'DISABLE',
    },
    schema: z.unknown(),
  })
}

type BudgetTarget = { level: 'campaign' | 'ad_set'; externalId: string }

/** The type of a budget is fixed when the campaign or ad group is created. */
export async function setBudget(
  session: Session,
  target: BudgetTarget,
  { type, amountMinor }: { type: 'daily' | 'lifetime'; amountMinor: number },
): Promise<void> {
  const { endpoint, entity } = await find(session, target)
  const currency = await accountCurrency(session)
  const budget = toBudget({ budget: entity.budget, budget_mode: entity.budget_mode ?? null }, currency)
  if ((type === 'daily' ? budget.dailyBudgetMinor : budget.lifetimeBudgetMinor) === null)
    throw new ProviderError('rejected', `It has no ${type} budget`)
  await callTiktok(session, `/${endpoint.name}/update/`, {
    json: {
      advertiser_id: session.accountId,
      [target.level === 'campaign' ? 'campaign_id' : 'adgroup_id']: target.externalId,
      budget: Number(minorToDecimal({ amountMinor, currency })),
    },
    schema: z.unknown(),
  })
}
