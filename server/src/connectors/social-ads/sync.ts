/** Syncs an ad account: campaigns, ad sets and ads, then insights by day. */
import type { z } from 'zod'
import { addDays, listDays } from '../../platform/contract/dates.ts'
import {
  type DeliveryStep,
  deliverySteps,
  readStepPage,
  type StepCursor,
  type StepPage,
} from '../ad-account-steps.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { mapItems, parsedOrSetAside, readableItems } from '../set-aside.ts'
import { callGraph, readGraphPage } from './calls.ts'
import {
  attentionFields,
  creativeFields,
  FrequencyRow,
  type Media,
  toAttentionDetail,
  toCreativeDetail,
  toFrequencyDetail,
  toTargetingDetail,
} from './creative-fields.ts'
import { readAudiences, readMedia } from './creative-reads.ts'
import { type LeadStep, leadSteps, readLeads } from './leads.ts'
import { creativeFormat, toAd, toAdSet, toCampaign, toDelivery } from './mapping.ts'
import { Ad, AdAccount, AdSet, Campaign, Insight } from './replies.ts'
import { isReportDone, type ReportQuery, startReport } from './reports.ts'
import { readInSmallerParts } from './smaller-reads.ts'

type FrequencyStep = { kind: 'frequency'; lastDays: string[] }
/** Deleted entities are omitted from reports unless requested by status. */
type DeletedStep = Omit<DeliveryStep, 'kind'> & { kind: 'deleted' }
type Step = { kind: 'campaigns' | 'adsets' | 'ads' } | DeliveryStep | DeletedStep | FrequencyStep | LeadStep

const structurePageSize = 200
const insightsPageSize = 500
/** The platform refuses reports that are too large; a month is accepted. */
const insightsDays = { campaign: 30, ad_set: 30, ad: 30 }
/** Few entities are deleted, so one report covers all days; it is split if the platform refuses it. */
const deletedDays = { campaign: 400, ad_set: 400, ad: 400 }
/** Frequency is not additive, so a seven-day window is requested per day, for as many days as fatigue is computed from. */
const frequencyDays = 60
/** `time_ranges` may overlap; ten per report keep it small. */
const rangesPerReport = 10

/** The platform omits archived entities unless they are requested. */
const campaignStatuses = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'IN_PROCESS', 'WITH_ISSUES']
const adSetStatuses = [...campaignStatuses, 'CAMPAIGN_PAUSED']
const adStatuses = [
  ...adSetStatuses,
  'ADSET_PAUSED',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
]

const graphLevel = { campaign: 'campaign', ad_set: 'adset', ad: 'ad' } as const
const insightFields = {
  campaign: 'campaign_id,campaign_name',
  ad_set: 'campaign_id,campaign_name,adset_id,adset_name',
  ad: 'campaign_id,campaign_name,adset_id,adset_name,ad_id,ad_name',
} as const

const deletedOnly = (level: DeliveryStep['level']): string =>
  JSON.stringify([{ field: `${graphLevel[level]}.effective_status`, operator: 'IN', value: ['DELETED'] }])

export function syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> {
  const account: Step[] = [
    { kind: 'campaigns' },
    { kind: 'adsets' },
    { kind: 'ads' },
    ...deliverySteps(window, insightsDays),
    ...deliverySteps(window, deletedDays).map((step): DeletedStep => ({ ...step, kind: 'deleted' })),
    ...frequencySteps(window),
  ]
  const steps = [...(window.leadsOnly ? [] : account), ...leadSteps(window)]
  return readStepPage(cursor, steps, {
    currency: () => accountCurrency(session),
    read: (at, step) =>
      readInSmallerParts(
        at,
        step,
        (after, part, limitOf, report) => readStep(session, { ...at, after }, part, limitOf, report),
        {
          supports: (part) => isInsights(part),
          start: (part) => startReport(session, insightsQuery(part as InsightsStep)),
          isDone: (run) => isReportDone(session, run),
        },
      ),
  })
}

type InsightsStep = DeliveryStep | DeletedStep | FrequencyStep
const isInsights = (step: Step): step is InsightsStep =>
  step.kind === 'delivery' || step.kind === 'deleted' || step.kind === 'frequency'

function insightsQuery(step: InsightsStep): ReportQuery {
  if (step.kind === 'frequency')
    return {
      level: 'ad',
      time_ranges: JSON.stringify(step.lastDays.map((until) => ({ since: addDays(until, -6), until }))),
      fields: 'ad_id,frequency,reach',
    }
  return {
    level: graphLevel[step.level],
    time_increment: 1,
    time_range: JSON.stringify({ since: step.since, until: step.until }),
    ...(step.kind === 'deleted' ? { filtering: deletedOnly(step.level) } : {}),
    fields: `${insightFields[step.level]},account_currency,spend,impressions,clicks,reach,actions,action_values${step.level === 'ad' ? `,${attentionFields}` : ''}`,
  }
}

function frequencySteps(window: SyncWindow): FrequencyStep[] {
  const oldest = addDays(window.untilDay, 1 - frequencyDays)
  const days = listDays(window.sinceDay > oldest ? window.sinceDay : oldest, window.untilDay)
  return Array.from({ length: Math.ceil(days.length / rangesPerReport) }, (_, index) => ({
    kind: 'frequency',
    lastDays: days.slice(index * rangesPerReport, (index + 1) * rangesPerReport),
  }))
}

export async function accountCurrency(session: Session): Promise<string> {
  if (session.currency) return session.currency
  const account = await callGraph(session.http, session.app, session.token.accessToken, {
    path: `/${session.accountId}`,
    query: { fields: 'id,currency' },
    schema: AdAccount,
  })
  if (account.currency === null) throw new ProviderError('malformed', 'The account has no currency')
  return account.currency
}

async function readStep(
  session: Session,
  at: StepCursor,
  step: Step,
  limitOf: (defaultLimit: number) => number,
  report: string | null,
): Promise<StepPage> {
  const read = async <T, Extras = null>(
    edge: string,
    item: z.ZodType<T>,
    query: Record<string, string | number>,
    toRecords: (item: T, extra: Extras) => SyncRecord | SyncRecord[],
    /** Reads additional data for all items of the page. */
    readExtras?: (items: T[]) => Promise<Extras>,
  ) => {
    const page = await readGraphPage(
      session.http,
      session.app,
      session.token.accessToken,
      `/${report ?? session.accountId}/${edge}`,
      parsedOrSetAside(edge, item),
      {
        ...query,
        limit: limitOf(Number(query.limit ?? structurePageSize)),
        after: at.after ?? undefined,
      },
    )
    const extras = readExtras ? await readExtras(readableItems(page.items)) : (null as Extras)
    return { ...mapItems(edge, page.items, (entry: T) => toRecords(entry, extras)), after: page.after }
  }
  switch (step.kind) {
    case 'campaigns':
      return read(
        'campaigns',
        Campaign,
        {
          fields: 'id,name,status,effective_status,objective,daily_budget,lifetime_budget',
          effective_status: JSON.stringify(campaignStatuses),
        },
        (item) => toCampaign(item, at.currency),
      )
    case 'adsets':
      return read(
        'adsets',
        AdSet,
        {
          fields: 'id,name,status,effective_status,campaign_id,daily_budget,lifetime_budget,targeting',
          effective_status: JSON.stringify(adSetStatuses),
        },
        (item, audiences: Map<string, string | null>) => [
          toAdSet(item, at.currency),
          ...toTargetingDetail(item, audiences),
        ],
        (items) => readAudiences(session, items),
      )
    case 'ads':
      return read(
        'ads',
        Ad,
        {
          fields: `id,name,status,effective_status,campaign_id,adset_id,creative{${creativeFields}}`,
          effective_status: JSON.stringify(adStatuses),
        },
        (item, media: Media) => [
          toAd(item, at.currency),
          ...toCreativeDetail(item, item.creative ? creativeFormat(item.creative) : null, media),
        ],
        (items) => readMedia(session, items),
      )
    case 'leads':
      return readLeads(session, step, at.after)
    case 'delivery':
    case 'deleted':
      return read(
        'insights',
        Insight,
        { ...(report === null ? insightsQuery(step) : {}), limit: insightsPageSize },
        (item) => [
          toDelivery(item, step.level, at.currency, step.kind === 'deleted'),
          ...(step.level === 'ad' ? toAttentionDetail(item) : []),
        ],
      )
    case 'frequency':
      return read(
        'insights',
        FrequencyRow,
        { ...(report === null ? insightsQuery(step) : {}), limit: insightsPageSize },
        toFrequencyDetail,
      )
  }
}
