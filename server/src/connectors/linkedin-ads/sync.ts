/** Syncs an ad account: campaign groups, campaigns and creatives with their posts, then delivery by day and leads. */
import {
  type DeliveryStep,
  deliverySteps,
  readStepPage,
  type StepCursor,
  type StepPage,
} from '../ad-account-steps.ts'
import { ProviderError, type Session, type SyncPage, type SyncWindow } from '../connector.ts'
import { MISSING_ABILITY, mapItems, readableItems } from '../set-aside.ts'
import { readDelivery } from './analytics.ts'
import { callRest, readPage } from './calls.ts'
import { type LeadStep, leadSteps, readLeads } from './leads.ts'
import {
  AdAccount,
  Campaign,
  CampaignGroup,
  Creative,
  toAdRecord,
  toAdSetRecord,
  toCampaignRecord,
} from './mapping.ts'
import { parseCreative, readPublished, referenceOf, toCreativeDetail } from './posts.ts'
import { missingAbilities } from './products.ts'
import { listOf, recordOf } from './restli.ts'
import { readTracking, withTracking } from './tracking.ts'

type StructureStep = { kind: 'structure'; level: 'campaign' | 'ad_set' | 'ad' }
/** Without a call: what the consent does not cover. */
type AbilitiesStep = { kind: 'abilities' }
type Step = StructureStep | DeliveryStep | LeadStep | AbilitiesStep

/** Without these a search omits completed entities, whose spend is still reported. */
const statuses = [
  'ACTIVE',
  'PAUSED',
  'ARCHIVED',
  'COMPLETED',
  'CANCELED',
  'DRAFT',
  'PENDING_DELETION',
  'REMOVED',
]
const groupStatuses = statuses.filter((status) => status !== 'COMPLETED')
const ofStatus = (values: readonly string[]) => recordOf({ status: recordOf({ values: listOf(values) }) })

/** Days per report, depending on the number of rows per day. */
const deliveryDays = { campaign: 90, ad_set: 30, ad: 14 } as const

const structure: StructureStep[] = (['campaign', 'ad_set', 'ad'] as const).map((level) => ({
  kind: 'structure',
  level,
}))

export function syncPage(session: Session, window: SyncWindow, cursor: string | null): Promise<SyncPage> {
  const steps: Step[] = [
    ...structure,
    ...deliverySteps(window, deliveryDays),
    ...leadSteps(session, window),
    { kind: 'abilities' },
  ]
  return readStepPage(cursor, steps, {
    currency: () => accountCurrency(session),
    read: (at, step) => readStep(session, at, step),
  })
}

async function readStep(session: Session, at: StepCursor, step: Step): Promise<StepPage> {
  switch (step.kind) {
    case 'structure':
      return readStructure(session, step, at)
    case 'delivery':
      return readDelivery(session, step, at)
    case 'leads':
      return readLeads(session, step, at.after)
    case 'abilities':
      return {
        records: [],
        setAside: missingAbilities(session),
        clearedKinds: [MISSING_ABILITY],
        after: null,
      }
  }
}

export async function accountCurrency(session: Session): Promise<string> {
  if (session.currency) return session.currency
  const path = `/adAccounts/${encodeURIComponent(session.accountId)}`
  const { currency } = await callRest(session, path, { schema: AdAccount })
  if (currency === null) throw new ProviderError('malformed', 'The account has no currency')
  return currency
}

async function readStructure(
  session: Session,
  { level }: StructureStep,
  { currency, after }: StepCursor,
): Promise<StepPage> {
  const account = `/adAccounts/${encodeURIComponent(session.accountId)}`
  if (level === 'campaign') {
    const query = { q: 'search', search: ofStatus(groupStatuses) }
    const page = await readPage(session, `${account}/adCampaignGroups`, 'campaign_group', CampaignGroup, {
      query,
      pageSize: 500,
      after,
    })
    const read = mapItems('campaign_group', page.items, (group) => toCampaignRecord(group, currency))
    return { ...read, after: page.nextToken }
  }
  if (level === 'ad_set') {
    const query = { q: 'search', search: ofStatus(statuses) }
    const page = await readPage(session, `${account}/adCampaigns`, 'campaign', Campaign, {
      query,
      pageSize: 500,
      after,
    })
    const read = mapItems('campaign', page.items, (campaign) => toAdSetRecord(campaign, currency))
    return { ...read, after: page.nextToken }
  }
  const page = await readPage(session, `${account}/creatives`, 'creative', Creative, {
    query: { q: 'criteria' },
    pageSize: 100,
    after,
    restliMethod: 'FINDER',
  })
  const creatives = readableItems(page.items)
  const published = await readPublished(session, creatives.flatMap(referenceOf))
  const trackings = await readTracking(session, creatives)
  const read = mapItems('creative', page.items, (creative) => {
    const shown = parseCreative(creative, published)
    if (shown === null) return [toAdRecord(creative, null, currency)]
    const destinationUrl = withTracking(shown.destinationUrl, creative, session.accountId, trackings)
    const served = { ...shown, destinationUrl }
    return [toAdRecord(creative, served, currency), toCreativeDetail(creative, served, published)]
  })
  return { ...read, after: page.nextToken }
}
