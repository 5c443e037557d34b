/** Reads an ad account: campaigns, ad sets and ads, then insights by day. */
import type { z } from 'zod'
import {
  type DeliveryStep,
  deliverySteps,
  readStepPage,
  type StepCursor,
  type StepPage,
} from '../ad-account-steps.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { judged, toRecordsOf } from '../set-aside.ts'
import { callGraph, readGraphPage } from './calls.ts'
import { toAd, toAdSet, toCampaign, toDelivery } from './mapping.ts'
import { Ad, AdAccount, AdSet, Campaign, Insight } from './replies.ts'

type Step = { kind: 'campaigns' | 'adsets' | 'ads' } | DeliveryStep

const structurePageSize = 200
const insightsPageSize = 500
/** The platform refuses reports that are too large; a month at a time is not. */
const insightsDays = { campaign: 30, ad_set: 30, ad: 30 }

/** The platform leaves archived ones out unless they are asked for. */
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

export function syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> {
  const steps: Step[] = [
    { kind: 'campaigns' },
    { kind: 'adsets' },
    { kind: 'ads' },
    ...deliverySteps(window, insightsDays),
  ]
  return readStepPage(cursor, steps, {
    currency: () => accountCurrency(session),
    read: (at, step) => readStep(session, at, step),
  })
}

export async function accountCurrency(session: Session): Promise<string> {
  if (session.currency) return session.currency
  const account = await callGraph(session.http, session.app, session.token.accessToken, {
    path: `/${session.accountId}`,
    query: { fields: 'id,currency' },
    schema: AdAccount,
  })
  if (account.currency === null) throw new ProviderError('malformed', 'The account names no currency')
  return account.currency
}

async function readStep(session: Session, at: StepCursor, step: Step): Promise<StepPage> {
  const read = async <T>(
    edge: string,
    item: z.ZodType<T>,
    query: Record<string, string | number>,
    to: (item: T) => SyncRecord,
  ) => {
    const page = await readGraphPage(
      session.http,
      session.app,
      session.token.accessToken,
      `/${session.accountId}/${edge}`,
      judged(edge, item),
      { limit: structurePageSize, ...query, after: at.after ?? undefined },
    )
    return { ...toRecordsOf(edge, page.items, to), after: page.after }
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
          fields: 'id,name,status,effective_status,campaign_id,daily_budget,lifetime_budget',
          effective_status: JSON.stringify(adSetStatuses),
        },
        (item) => toAdSet(item, at.currency),
      )
    case 'ads':
      return read(
        'ads',
        Ad,
        {
          fields:
            'id,name,status,effective_status,campaign_id,adset_id,creative{id,thumbnail_url,video_id,object_type,title,body,call_to_action_type,object_story_spec}',
          effective_status: JSON.stringify(adStatuses),
        },
        (item) => toAd(item, at.currency),
      )
    case 'delivery':
      return read(
        'insights',
        Insight,
        {
          level: graphLevel[step.level],
          time_increment: 1,
          time_range: JSON.stringify({ since: step.since, until: step.until }),
          limit: insightsPageSize,
          fields: `${insightFields[step.level]},account_currency,spend,impressions,clicks,reach,actions,action_values`,
        },
        (item) => toDelivery(item, step.level, at.currency),
      )
  }
}
