/** Syncs an ad account: campaigns, ad groups and ads including Smart+, then reports by day, reservation ads, GMV Max and leads. */
import { z } from 'zod'
import {
  type DeliveryStep,
  deliverySteps,
  readStepPage,
  type StepCursor,
  type StepPage,
} from '../ad-account-steps.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { mapItems, missingAbility, readableItems } from '../set-aside.ts'
import { callTiktok, type ListRequest, orElse, readPage } from './calls.ts'
import { halveDays, pageOf, partOf, toAfter } from './fewer-days.ts'
import { type GmvMaxStep, gmvMaxCampaignList, gmvMaxSteps, readGmvMaxReport } from './gmv-max.ts'
import { type LeadStep, leadSteps, readLeads } from './leads.ts'
import { toAdGroupRecords, toAdRecords, toCampaign, toDelivery } from './mapping.ts'
import { readMedia } from './media.ts'
import { Ad, AdGroup, Advertiser, Campaign, ReportRow, SmartAd, SmartAdGroup } from './replies.ts'

type StructureStep = {
  kind: 'structure'
  /** Not every app and account has access to Smart+ or GMV Max. */
  isOptional: boolean
  read: (session: Session, currency: string, page: number) => Promise<StepPage>
}
/** Reach & Frequency and TopView are booked at a fixed price; their spend is in reports of their own. */
type ReservationStep = Omit<DeliveryStep, 'kind'> & { kind: 'reservation' }
type Step = StructureStep | DeliveryStep | ReservationStep | GmvMaxStep | LeadStep

/** Deleted entities are omitted from lists and reports unless they are requested. */
const allStatuses = { filtering: { primary_status: 'STATUS_ALL' } }
/** A report by day covers at most 30 days. */
const REPORT_DAYS = 30
const reportDays = { campaign: REPORT_DAYS, ad_set: REPORT_DAYS, ad: REPORT_DAYS }

function list<T>(
  request: Omit<ListRequest<T>, 'query'> & { query?: ListRequest<T>['query'] },
  map: (session: Session, items: T[], currency: string) => Promise<(item: T) => SyncRecord | SyncRecord[]>,
  isOptional = false,
): StructureStep {
  return {
    kind: 'structure',
    isOptional,
    async read(session, currency, page) {
      const { items, next } = await readPage(session, { query: allStatuses, ...request }, page)
      const toRecords = await map(session, readableItems(items), currency)
      return { ...mapItems(request.kind, items, toRecords), after: next === null ? null : String(next) }
    },
  }
}

const asCampaigns = async (_session: Session, _items: unknown, currency: string) => (item: Campaign) =>
  toCampaign(item, currency)
const asAdGroups = async (_session: Session, _items: unknown, currency: string) => (item: AdGroup) =>
  toAdGroupRecords(item, currency)
const asAds = async (session: Session, ads: Ad[], currency: string) => {
  const media = await readMedia(session, ads)
  return (ad: Ad) => toAdRecords(ad, currency, media)
}

const structure: readonly StructureStep[] = [
  list({ kind: 'campaign', path: '/campaign/get/', item: Campaign, pageSize: 1000 }, asCampaigns),
  list(
    { kind: 'campaign', path: '/smart_plus/campaign/get/', item: Campaign, pageSize: 1000 },
    asCampaigns,
    true,
  ),
  list(gmvMaxCampaignList, asCampaigns, true),
  list({ kind: 'adgroup', path: '/adgroup/get/', item: AdGroup, pageSize: 1000 }, asAdGroups),
  list(
    { kind: 'adgroup', path: '/smart_plus/adgroup/get/', item: SmartAdGroup, pageSize: 1000 },
    asAdGroups,
    true,
  ),
  list({ kind: 'ad', path: '/ad/get/', item: Ad, pageSize: 1000 }, asAds),
  list({ kind: 'ad', path: '/smart_plus/ad/get/', item: SmartAd, pageSize: 100 }, asAds, true),
]

export function syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> {
  const delivery = deliverySteps(window, reportDays)
  const steps: Step[] = [
    ...structure,
    ...delivery,
    ...delivery.map((step): ReservationStep => ({ ...step, kind: 'reservation' })),
    ...gmvMaxSteps(window),
    ...leadSteps(window),
  ]
  return readStepPage(cursor, steps, {
    currency: () => accountCurrency(session),
    read: (at, step) => readStep(session, at, step),
  })
}

export async function accountCurrency(session: Session): Promise<string> {
  if (session.currency) return session.currency
  const [account] = await readAdvertisers(session, [session.accountId])
  if (!account?.currency) throw new ProviderError('malformed', 'The account has no currency')
  return account.currency
}

export async function readAdvertisers(
  caller: Pick<Session, 'http' | 'app' | 'token'>,
  ids: readonly string[],
): Promise<Advertiser[]> {
  const { list: advertisers } = await callTiktok(caller, '/advertiser/info/', {
    query: {
      advertiser_ids: ids,
      fields: ['advertiser_id', 'name', 'currency', 'timezone', 'display_timezone'],
    },
    schema: z.looseObject({ list: z.array(Advertiser).nullish() }),
  })
  return advertisers ?? []
}

function readStep(session: Session, at: StepCursor, step: Step): Promise<StepPage> {
  switch (step.kind) {
    case 'structure': {
      const read = () => step.read(session, at.currency, Number(at.after ?? 1))
      return step.isOptional ? orElse(read, () => ({ records: [], after: null })) : read()
    }
    case 'delivery':
      return readReport(session, at, step)
    case 'reservation':
      return orElse(
        () => readReport(session, at, step),
        (refusal) => ({ records: [], setAside: [reservationUnreadable(refusal)], after: null }),
      )
    case 'gmv_max':
      return readGmvMaxReport(session, at, step)
    case 'leads':
      return readLeads(session, step, at.after)
  }
}

/** Accounts without a contact at the platform have no reservation ads, and may be refused. */
const reservationUnreadable = (refusal: ProviderError) =>
  missingAbility(
    'reservation_spend',
    `Spend of reservation ads (Reach & Frequency, TopView) is not included, because TikTok refused their report: ${refusal.providerMessage ?? refusal.message}`,
  )

const services = { delivery: 'AUCTION', reservation: 'RESERVATION' } as const
const reportLevel = {
  campaign: { level: 'CAMPAIGN', dimension: 'campaign_id', status: 'campaign_status' },
  ad_set: { level: 'ADGROUP', dimension: 'adgroup_id', status: 'adgroup_status' },
  ad: { level: 'AD', dimension: 'ad_id', status: 'ad_status' },
} as const
const figures = [
  'spend',
  'impressions',
  'clicks',
  'reach',
  'conversion',
  'total_complete_payment_rate',
  'total_onsite_shopping_value',
  'total_purchase_value',
  'currency',
  'campaign_name',
]
const metrics = {
  campaign: figures,
  ad_set: [...figures, 'campaign_id', 'adgroup_name'],
  ad: [
    ...figures,
    'campaign_id',
    'adgroup_id',
    'adgroup_name',
    'ad_name',
    'video_watched_2s',
    'video_views_p25',
    'video_views_p50',
    'video_views_p75',
    'video_views_p100',
  ],
} as const

/** Public lists of the metrics of reservation reports differ; all have these. Sales and views are unknown there. */
const reservationMetrics = {
  campaign: ['spend', 'impressions', 'clicks', 'reach', 'campaign_name'],
  ad_set: ['spend', 'impressions', 'clicks', 'reach', 'campaign_id', 'campaign_name', 'adgroup_name'],
  ad: [
    'spend',
    'impressions',
    'clicks',
    'reach',
    'campaign_id',
    'campaign_name',
    'adgroup_id',
    'adgroup_name',
    'ad_name',
  ],
} as const

async function readReport(
  session: Session,
  at: StepCursor,
  step: DeliveryStep | ReservationStep,
): Promise<StepPage> {
  const part = partOf(step, at.after)
  const { level, dimension, status } = reportLevel[step.level]
  const service = services[step.kind]
  try {
    const { items, next } = await readPage(
      session,
      {
        kind: 'delivery',
        path: '/report/integrated/get/',
        item: ReportRow,
        pageSize: 1000,
        query: {
          report_type: 'BASIC',
          service_type: service,
          data_level: `${service}_${level}`,
          dimensions: [dimension, 'stat_time_day'],
          metrics: (step.kind === 'delivery' ? metrics : reservationMetrics)[step.level],
          start_date: part.since,
          end_date: part.until,
          // The platform refuses the report if the filter field is of another level.
          filtering: [{ field_name: status, filter_type: 'IN', filter_value: '["STATUS_ALL"]' }],
        },
      },
      pageOf(at.after),
    )
    return {
      ...mapItems('delivery', items, (row) => toDelivery(row, step.level, at.currency)),
      after: toAfter(step, part, next),
    }
  } catch (error) {
    return { records: [], after: halveDays(part, error) }
  }
}
