/**
 * Reads and changes status and budget by partial updates (create-and-manage-campaign-groups, -campaigns and
 * -creatives on learn.microsoft.com/en-us/linkedin/marketing/integrations/ads/account-structure, read 2026-11-18). The
 * consent requires `rw_ads` and a role above viewer in the account.
 */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import { ProviderError, type Session, type StatusTarget } from '../connector.ts'
import { callRest } from './calls.ts'
import { Campaign, CampaignGroup, Creative, toBudget, toStatus } from './mapping.ts'
import { urn } from './restli.ts'
import { accountCurrency } from './sync.ts'

type BudgetTarget = { level: 'campaign' | 'ad_set'; externalId: string }

const lists = { campaign: 'adCampaignGroups', ad_set: 'adCampaigns', ad: 'creatives' } as const

function pathOf({ accountId }: Session, { level, externalId }: StatusTarget): string {
  if (!/^\d{1,19}$/.test(externalId))
    throw new ProviderError('not_found', `The account has no such ${level.replace('_', ' ')}`)
  const key = level === 'ad' ? urn('sponsoredCreative', externalId) : externalId
  return `/adAccounts/${encodeURIComponent(accountId)}/${lists[level]}/${encodeURIComponent(key)}`
}

const readOf = <T>(session: Session, target: StatusTarget, schema: z.ZodType<T>) =>
  callRest(session, pathOf(session, target), { schema })

const update = (session: Session, target: StatusTarget, fields: object) =>
  callRest(session, pathOf(session, target), {
    json: { patch: { $set: fields } },
    restliMethod: 'PARTIAL_UPDATE',
    schema: z.unknown(),
  })

function statusIn(word: string | null): string {
  const status = toStatus(word)
  if (status === null) throw new ProviderError('malformed', 'The response has no status')
  return status
}

const noBudgets = { dailyBudgetMinor: null, lifetimeBudgetMinor: null }

export async function readStatus(session: Session, target: StatusTarget) {
  const groupStatus = async (externalId: string) =>
    statusIn((await readOf(session, { level: 'campaign', externalId }, CampaignGroup)).status)
  if (target.level === 'ad') {
    const creative = await readOf(session, target, Creative)
    const campaign = await readOf(session, { level: 'ad_set', externalId: creative.campaign }, Campaign)
    return {
      status: statusIn(creative.intendedStatus),
      effectiveStatus: null,
      campaignStatus: await groupStatus(campaign.campaignGroup),
      ...noBudgets,
    }
  }
  const currency = await accountCurrency(session)
  if (target.level === 'campaign') {
    const group = await readOf(session, target, CampaignGroup)
    const status = statusIn(group.status)
    return { status, effectiveStatus: null, campaignStatus: status, ...toBudget(group, currency) }
  }
  const campaign = await readOf(session, target, Campaign)
  return {
    status: statusIn(campaign.status),
    effectiveStatus: null,
    campaignStatus: await groupStatus(campaign.campaignGroup),
    ...toBudget(campaign, currency),
  }
}

export async function setStatus(
  session: Session,
  target: StatusTarget,
  status: 'ACTIVE' | 'PAUSED',
): Promise<void> {
  await update(session, target, target.level === 'ad' ? { intendedStatus: status } : { status })
}

/** The type of a budget cannot change: campaigns have no budget if their group has one. */
export async function setBudget(
  session: Session,
  target: BudgetTarget,
  { type, amountMinor }: { type: 'daily' | 'lifetime'; amountMinor: number },
): Promise<void> {
  const now = await readStatus(session, target)
  if ((type === 'daily' ? now.dailyBudgetMinor : now.lifetimeBudgetMinor) === null)
    throw new ProviderError('rejected', `It has no ${type} budget`)
  const currency = await accountCurrency(session)
  const amount = { amount: minorToDecimal({ amountMinor, currency }), currencyCode: currency }
  await update(session, target, type === 'daily' ? { dailyBudget: amount } : { totalBudget: amount })
}
