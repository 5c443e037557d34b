/**
 * Pauses and resumes campaigns, ad groups, asset groups and ads, and sets budgets of campaigns. The platform addresses each
 * only through its parent (QueryByIds and PUT of each kind in MicrosoftDocs/Advertising of 2026-08-17, read 2026-11-18).
 */
import { z } from 'zod'
import { minorToDecimal } from '../amounts.ts'
import { ProviderError, type Session, type StatusTarget } from '../connector.ts'
import { providerMessageIn, refusalMessages } from '../provider-messages.ts'
import { text } from '../reply-fields.ts'
import { parsedOrSetAside, readableItems } from '../set-aside.ts'
import { accountCurrency, withAccount } from './accounts.ts'
import { type AdSession, ApiError, callAds } from './calls.ts'
import { Campaign, isLongId, toBudget, toStatus } from './mapping.ts'
import { adTypes, campaignTypes } from './structure.ts'

const service = 'CampaignManagement'
const StatusEntity = z.looseObject({ Status: text, Type: text })
type StatusEntity = z.infer<typeof StatusEntity>

/** For example `Campaigns` with `CampaignIds`, queried below `parent`. */
type Kind = { list: string; ids: string; parent: string; others?: object }
const kinds: Record<StatusTarget['level'], readonly Kind[]> = {
  campaign: [
    {
      list: 'Campaigns',
      ids: 'CampaignIds',
      parent: 'AccountId',
      others: { CampaignType: campaignTypes.join(', ') },
    },
  ],
  ad_set: [
    { list: 'AdGroups', ids: 'AdGroupIds', parent: 'CampaignId' },
    { list: 'AssetGroups', ids: 'AssetGroupIds', parent: 'CampaignId' },
  ],
  ad: [{ list: 'Ads', ids: 'AdIds', parent: 'AdGroupId', others: { AdTypes: adTypes } }],
}

const notFound = (level: StatusTarget['level']) =>
  new ProviderError('not_found', `The account has no such ${level.replace('_', ' ')}`)

function parentOf(session: Session, target: StatusTarget): string {
  if (target.level === 'campaign') return session.accountId
  const parent = target.level === 'ad_set' ? target.campaignExternalId : target.adSetExternalId
  if (parent == null) throw notFound(target.level)
  return parent
}

/** An unknown id is returned as null, with an error next to it. */
async function read<T>(session: AdSession, target: StatusTarget, kind: Kind, item: z.ZodType<T>) {
  const reply = await callAds(session, session.account, {
    service,
    path: `${kind.list}/QueryByIds`,
    json: { [kind.parent]: parentOf(session, target), [kind.ids]: [target.externalId], ...kind.others },
    schema: z.looseObject({ [kind.list]: z.array(parsedOrSetAside(target.level, item)).nullish() }),
  })
  const items = (reply as Record<string, Parameters<typeof readableItems<T>>[0] | null | undefined>)[
    kind.list
  ]
  return readableItems(items ?? [])[0]
}

async function find(session: AdSession, target: StatusTarget): Promise<{ kind: Kind; entity: StatusEntity }> {
  if (!isLongId(target.externalId)) throw notFound(target.level)
  for (const kind of kinds[target.level]) {
    const entity = await read(session, target, kind, StatusEntity)
    if (entity !== undefined) return { kind, entity }
  }
  throw notFound(target.level)
}

async function findCampaign(session: AdSession, externalId: string) {
  const target: StatusTarget = { level: 'campaign', externalId }
  const campaign = isLongId(externalId)
    ? await read(session, target, kinds.campaign[0]!, Campaign)
    : undefined
  if (campaign === undefined) throw notFound('campaign')
  const status = toStatus(campaign.Status)
  if (status === null) throw new ProviderError('malformed', 'The campaign has no status')
  const currency = await accountCurrency(session)
  return { campaign, currency, status, ...toBudget(campaign, currency) }
}

/** The platform returns 200 with an error list if it changed nothing. */
async function update(session: AdSession, target: StatusTarget, kind: Kind, change: object): Promise<void> {
  const { PartialErrors } = await callAds(session, session.account, {
    service,
    path: kind.list,
    method: 'PUT',
    json: {
      [kind.parent]: parentOf(session, target),
      [kind.list]: [{ Id: target.externalId, ...change }],
    },
    schema: z.looseObject({ PartialErrors: z.array(ApiError.nullable()).nullish() }),
  })
  const error = PartialErrors?.find((partialError) => partialError !== null)
  if (error != null)
    throw new ProviderError('rejected', refusalMessages.rejected, {
      providerCode: error.ErrorCode ?? String(error.Code ?? ''),
      providerMessage: providerMessageIn(error.Message),
    })
}

export async function readStatus(session: Session, target: StatusTarget) {
  const accountSession = withAccount(session)
  if (target.level === 'campaign') {
    const { campaign, status, dailyBudgetMinor, lifetimeBudgetMinor } = await findCampaign(
      accountSession,
      target.externalId,
    )
    return {
      status,
      effectiveStatus: campaign.Status,
      campaignStatus: status,
      dailyBudgetMinor,
      lifetimeBudgetMinor,
    }
  }
  const { entity } = await find(accountSession, target)
  const status = toStatus(entity.Status)
  if (status === null) throw new ProviderError('malformed', 'The response has no status')
  const campaignId = target.campaignExternalId
  const campaign = campaignId == null ? null : await findCampaign(accountSession, campaignId)
  return {
    status,
    effectiveStatus: entity.Status,
    campaignStatus: campaign?.status ?? null,
    dailyBudgetMinor: null,
    lifetimeBudgetMinor: null,
  }
}

export async function setStatus(
  session: Session,
  target: StatusTarget,
  status: 'ACTIVE' | 'PAUSED',
): Promise<void> {
  const accountSession = withAccount(session)
  const { kind, entity } = await find(accountSession, target)
  await update(accountSession, target, kind, {
    Status: status === 'ACTIVE' ? 'Active' : 'Paused',
    // The platform parses an ad by its type.
    ...(target.level === 'ad' ? { Type: entity.Type } : {}),
  })
}

type BudgetTarget = { level: 'campaign' | 'ad_set'; externalId: string }

const noBudget = () => new ProviderError('rejected', 'Ad groups have no budget on this platform')

export async function readBudget(session: Session, target: BudgetTarget) {
  if (target.level === 'ad_set') throw noBudget()
  const { status, dailyBudgetMinor, lifetimeBudgetMinor } = await findCampaign(
    withAccount(session),
    target.externalId,
  )
  return { status, campaignStatus: status, dailyBudgetMinor, lifetimeBudgetMinor }
}

/** The type of a budget cannot change. Shared budgets can only be changed at the platform. */
export async function setBudget(
  session: Session,
  target: BudgetTarget,
  { type, amountMinor }: { type: 'daily' | 'lifetime'; amountMinor: number },
): Promise<void> {
  if (target.level === 'ad_set') throw noBudget()
  const accountSession = withAccount(session)
  const { currency, dailyBudgetMinor, lifetimeBudgetMinor } = await findCampaign(
    accountSession,
    target.externalId,
  )
  if ((type === 'daily' ? dailyBudgetMinor : lifetimeBudgetMinor) === null)
    throw new ProviderError('rejected', `The campaign has no separate ${type} budget`)
  await update(accountSession, target, kinds.campaign[0]!, {
    DailyBudget: Number(minorToDecimal({ amountMinor, currency })),
  })
}
