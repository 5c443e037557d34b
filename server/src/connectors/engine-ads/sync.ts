/**
 * Syncs a customer: campaigns, ad groups and ads in pages by id, then delivery by day. A stream has no pages,
 * so each step is small enough to be read at once; `after` is the last id that was read.
 */
import {
  type DeliveryStep,
  deliverySteps,
  readStepPage,
  type StepCursor,
  type StepPage,
} from '../ad-account-steps.ts'
import type { Session, SyncPage, SyncRecord, SyncWindow } from '../connector.ts'
import { mapItems, readableItems } from '../set-aside.ts'
import { accountCurrency, numericId, readStream } from './calls.ts'
import { type ClickStep, clickSteps, readClicks } from './clicks.ts'
import {
  adFields,
  attentionMetrics,
  campaignFields,
  readCampaignExtras,
  readWarmAdGroups,
  toAdGroupRecords,
  toAdRecords,
  toAttentionDetail,
  toCampaignRecords,
} from './creative-fields.ts'
import { type Row, toDelivery } from './mapping.ts'

type Structure = {
  kind: 'structure'
  resource: string
  idField: string
  fields: string
  idOf: (row: Row) => string | undefined
  /** Reads additional data for the page's rows and returns the function that maps a row. */
  mapper: (session: Session, rows: Row[]) => Promise<(row: Row, currency: string) => SyncRecord[]>
}
type Step = Structure | DeliveryStep | ClickStep

const structurePageSize = 1000
/** Days per step, depending on the number of rows per day. */
const deliveryDays = { campaign: 30, ad_set: 10, ad: 3 } as const

const structure: Structure[] = [
  {
    kind: 'structure',
    resource: 'campaign',
    idField: 'campaign.id',
    fields:
      'campaign.id, campaign.name, campaign.status, campaign.advertising_channel_type, campaign_budget.amount_micros, campaign_budget.total_amount_micros, ' +
      campaignFields,
    idOf: (row) => row.campaign?.id,
    mapper: async (session, rows) => {
      const extras = await readCampaignExtras(session, rows)
      return (row, currency) => toCampaignRecords(row, currency, extras)
    },
  },
  {
    kind: 'structure',
    resource: 'ad_group',
    idField: 'ad_group.id',
    fields: 'ad_group.id, ad_group.name, ad_group.status, campaign.id',
    idOf: (row) => row.adGroup?.id,
    mapper: async (session, rows) => {
      const warm = await readWarmAdGroups(session, rows)
      return (row, currency) => toAdGroupRecords(row, currency, warm)
    },
  },
  {
    kind: 'structure',
    resource: 'ad_group_ad',
    idField: 'ad_group_ad.ad.id',
    fields:
      'ad_group_ad.ad.id, ad_group_ad.ad.name, ad_group_ad.ad.type, ad_group_ad.ad.final_urls, ad_group_ad.ad.image_ad.image_url, ad_group_ad.ad.responsive_search_ad.headlines, ad_group_ad.ad.responsive_search_ad.descriptions, ad_group_ad.status, ad_group.id, campaign.id, ' +
      adFields,
    idOf: (row) => row.adGroupAd?.ad.id,
    mapper: async () => toAdRecords,
  },
]

const deliveryResource = { campaign: 'campaign', ad_set: 'ad_group', ad: 'ad_group_ad' } as const
const deliveryFields = {
  campaign: 'campaign.id, campaign.name',
  ad_set: 'campaign.id, ad_group.id, ad_group.name',
  ad: 'campaign.id, ad_group.id, ad_group_ad.ad.id, ad_group_ad.ad.name',
} as const
const metrics =
  'metrics.cost_micros, metrics.impressions, metrics.clicks, metrics.conversions, metrics.conversions_value'

export function syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> {
  const steps: Step[] = [...structure, ...deliverySteps(window, deliveryDays), ...clickSteps(window)]
  return readStepPage(cursor, steps, {
    currency: () => accountCurrency(session),
    read: (at, step) => readStep(session, at, step),
  })
}

async function readStep(session: Session, at: StepCursor, step: Step): Promise<StepPage> {
  if (step.kind === 'clicks') return readClicks(session, step)
  if (step.kind === 'delivery') {
    const query = `SELECT ${deliveryFields[step.level]}, segments.date, ${metrics}${step.level === 'ad' ? `, ${attentionMetrics}` : ''} FROM ${deliveryResource[step.level]} WHERE segments.date BETWEEN '${step.since}' AND '${step.until}' ORDER BY segments.date`
    const rows = await readStream(session, session.accountId, query)
    const read = mapItems('delivery', rows, (row) => [
      toDelivery(row, step.level, at.currency),
      ...(step.level === 'ad' ? toAttentionDetail(row) : []),
    ])
    return { ...read, after: null }
  }
  const beyond = at.after === null ? '' : ` WHERE ${step.idField} > ${numericId(at.after)}`
  const query = `SELECT ${step.fields} FROM ${step.resource}${beyond} ORDER BY ${step.idField} LIMIT ${structurePageSize}`
  const rows = await readStream(session, session.accountId, query)
  const toRecords = await step.mapper(session, readableItems(rows))
  const read = mapItems(step.resource, rows, (row) => toRecords(row, at.currency))
  const last = readableItems(rows).findLast((row) => step.idOf(row) !== undefined)
  const isFull = rows.length >= structurePageSize && last !== undefined
  return { ...read, after: isFull ? step.idOf(last)! : null }
}
