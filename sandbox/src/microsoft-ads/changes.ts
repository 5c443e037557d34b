/**
 * Reading and changing entities by id: `QueryByIds` and PUT of campaigns, ad groups, asset groups and ads, from their pages
 * in MicrosoftDocs/Advertising of 2026-08-17, read on 2026-11-18. Failures are partial errors of a 200.
 */
import type { SandboxReply } from '../sandbox.ts'
import type { MsAccount, MsAd, MsCampaign, MsGroup } from './account.ts'
import { adJson, campaignJson, groupJson } from './campaigns.ts'
import published from './published-enums.json' with { type: 'json' }

type Json = Record<string, unknown>
type Entity = MsCampaign | MsGroup | MsAd

const partialError = (index: number, Code: number, ErrorCode: string, Message: string): Json => ({
  Code,
  Details: null,
  ErrorCode,
  FieldPath: null,
  ForwardCompatibilityMap: [],
  Index: index,
  Message,
  Type: 'BatchError',
})

/** For each list: where its entities are, their JSON, and their changeable fields. */
const kinds = {
  Campaigns: {
    ids: 'CampaignIds',
    parent: 'AccountId',
    error: 'CampaignServiceInvalidCampaignId',
    changeable: ['Status', 'DailyBudget'],
    membersOf: (account: MsAccount, parentId: unknown): Entity[] =>
      parentId === account.id ? account.campaigns : [],
    toJson: (account: MsAccount, entity: Entity): Json => campaignJson(account, entity as MsCampaign),
  },
  AdGroups: {
    ids: 'AdGroupIds',
    parent: 'CampaignId',
    error: 'CampaignServiceInvalidAdGroupId',
    changeable: ['Status'],
    membersOf: (account: MsAccount, parentId: unknown): Entity[] => groupsOf(account, parentId, false),
    toJson: (_: MsAccount, entity: Entity): Json => groupJson(entity as MsGroup),
  },
  AssetGroups: {
    ids: 'AssetGroupIds',
    parent: 'CampaignId',
    error: 'CampaignServiceInvalidAssetGroupId',
    changeable: ['Status'],
    membersOf: (account: MsAccount, parentId: unknown): Entity[] => groupsOf(account, parentId, true),
    toJson: (_: MsAccount, entity: Entity): Json => ({
      Id: entity.id,
      Name: (entity as MsGroup).name,
      Status: entity.status,
    }),
  },
  Ads: {
    ids: 'AdIds',
    parent: 'AdGroupId',
    error: 'CampaignServiceInvalidAdId',
    changeable: ['Status', 'Type'],
    membersOf: (account: MsAccount, parentId: unknown): Entity[] =>
      account.campaigns
        .flatMap(({ groups }) => groups)
        .filter(({ id }) => id === parentId)
        .flatMap(({ ads }) => ads.filter(({ isDeleted }) => !isDeleted)),
    toJson: (_: MsAccount, entity: Entity): Json => adJson(entity as MsAd),
  },
} as const
export type ListName = keyof typeof kinds
export const listNames = Object.keys(kinds) as ListName[]

const groupsOf = (account: MsAccount, campaignId: unknown, isAssetGroup: boolean): MsGroup[] =>
  account.campaigns
    .filter(({ id }) => id === campaignId)
    .flatMap(({ groups }) => groups.filter((group) => group.isAssetGroup === isAssetGroup))

export function createChanges(now: () => Date) {
  const writes: Json[] = []

  function refusalOf(
    list: ListName,
    entity: Entity | undefined,
    change: Json,
  ): [number, string, string] | null {
    const kind = kinds[list]
    if (entity === undefined) return [1100, kind.error, 'The identifier is not valid.']
    const allowed: readonly string[] = ['Id', ...kind.changeable]
    if (Object.keys(change).some((name) => !allowed.includes(name)))
      return [1020, 'CampaignServiceReadOnlyElement', 'A read-only element was set.']
    if (change.Status !== undefined && !['Active', 'Paused'].includes(String(change.Status)))
      return [1148, 'CampaignServiceInvalidStatus', 'The status is not valid.']
    // The change must name the type of the ad.
    if (list === 'Ads' && change.Type !== (entity as MsAd).type)
      return [1300, 'CampaignServiceAdTypeInvalid', 'The ad type is not valid.']
    if (change.DailyBudget !== undefined && (entity as MsCampaign).budgetId !== null)
      return [1164, 'CampaignServiceCannotUpdateSharedBudget', 'The budget is shared.']
    return null
  }

  function apply(list: ListName, entity: Entity, { Status, DailyBudget }: Json): void {
    if (Status !== undefined) entity.status = String(Status)
    if (DailyBudget !== undefined) (entity as MsCampaign).dailyBudget = Number(DailyBudget)
    writes.push({
      list,
      id: entity.id,
      ...(Status === undefined ? {} : { status: Status }),
      ...(DailyBudget === undefined ? {} : { budget: DailyBudget }),
      at: now().toISOString(),
    })
  }

  return {
    read(list: ListName, json: Json, account: MsAccount): SandboxReply {
      const kind = kinds[list]
      const members = kind.membersOf(account, json[kind.parent])
      const types = String(json.CampaignType ?? 'Search').split(', ')
      const entities = ((json[kind.ids] ?? []) as string[]).map((id) =>
        members.find((member) => member.id === id),
      )
      const isOtherType = (entity: Entity | undefined) =>
        list === 'Campaigns' && entity !== undefined && !types.includes((entity as MsCampaign).type)
      const partialErrors = entities.flatMap((entity, index) => {
        if (isOtherType(entity)) return [partialError(index, 516, 'EntityIdFilterMismatch', 'Another type.')]
        return entity === undefined
          ? [partialError(index, 1100, kind.error, 'The identifier is not valid.')]
          : []
      })
      const items = entities.map((entity) =>
        entity === undefined || isOtherType(entity) ? null : kind.toJson(account, entity),
      )
      const adTypes = (json.AdTypes ?? []) as string[]
      if (list === 'Ads' && !adTypes.every((type) => published.adTypes.includes(type)))
        return {
          status: 400,
          body: { OperationErrors: [partialError(0, 1300, 'CampaignServiceAdTypeInvalid', '')] },
        }
      return { status: 200, body: { [list]: items, PartialErrors: partialErrors } }
    },
    update(list: ListName, json: Json, account: MsAccount): SandboxReply {
      const kind = kinds[list]
      const members = kind.membersOf(account, json[kind.parent])
      const errors = ((json[list] ?? []) as Json[]).flatMap((change, index) => {
        const entity = members.find(({ id }) => id === change.Id)
        const refusal = refusalOf(list, entity, change)
        if (refusal !== null) return [partialError(index, ...refusal)]
        apply(list, entity!, change)
        return []
      })
      return { status: 200, body: { PartialErrors: errors } }
    },
    writes: () => [...writes],
  }
}
