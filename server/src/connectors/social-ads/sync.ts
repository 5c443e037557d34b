/**
 * Reads an ad account: campaigns, ad sets and ads first, then delivery by day at each of the three
 * levels. The cursor names the step, so that any page can be read again after a crash.
 */
import { z } from 'zod'
import { addDays } from '../../contract/dates.ts'
import { ProviderError, type Session, type SyncPage, type SyncRecord, type SyncWindow } from '../connector.ts'
import { judged, toRecordsOf } from '../set-aside.ts'
import { callGraph, readGraphPage } from './calls.ts'
import { type Level, toAd, toAdSet, toCampaign, toDelivery } from './mapping.ts'
import { Ad, AdAccount, AdSet, Campaign, Insight } from './replies.ts'

const Cursor = z.object({
  currency: z.string(),
  step: z.number().int().min(0),
  after: z.string().nullable(),
})
type Cursor = z.infer<typeof Cursor>

type Step =
  | { kind: 'campaigns' | 'adsets' | 'ads' }
  | { kind: 'insights'; level: Level; since: string; until: string }

const structurePageSize = 200
const insightsPageSize = 500
/** The platform refuses reports that are too large; a month at a time is not. */
const insightsDays = 30

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

export async function syncPage(
  session: Session,
  window: SyncWindow,
  cursor: string | null,
): Promise<SyncPage> {
  const at = cursor === null ? await firstCursor(session) : readCursor(cursor)
  const steps = listSteps(window)
  const step = steps[at.step]
  if (!step) return { records: [], cursor: null, progress: progressOf(steps.length, steps.length) }
  const { after, ...read } = await readStep(session, at, step)
  const next: Cursor = after === null ? { ...at, step: at.step + 1, after: null } : { ...at, after }
  const finished = next.step >= steps.length
  return {
    ...read,
    cursor: finished ? null : JSON.stringify(next),
    progress: progressOf(next.step, steps.length),
  }
}

const progressOf = (done: number, total: number) => ({ done, total, unit: 'steps' })

function readCursor(cursor: string): Cursor {
  return Cursor.parse(JSON.parse(cursor))
}

async function firstCursor(session: Session): Promise<Cursor> {
  return { currency: await accountCurrency(session), step: 0, after: null }
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

function listSteps(window: SyncWindow): Step[] {
  const steps: Step[] = [{ kind: 'campaigns' }, { kind: 'adsets' }, { kind: 'ads' }]
  for (const level of ['campaign', 'ad_set', 'ad'] as const) {
    for (let since = window.sinceDay; since <= window.untilDay; since = addDays(since, insightsDays)) {
      const last = addDays(since, insightsDays - 1)
      steps.push({ kind: 'insights', level, since, until: last < window.untilDay ? last : window.untilDay })
    }
  }
  return steps
}

async function readStep(
  session: Session,
  at: Cursor,
  step: Step,
): Promise<Pick<SyncPage, 'records' | 'setAside'> & { after: string | null }> {
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
    case 'insights':
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
