/** Reads every report of one profile over one range once; the rules of this folder compare them. */
import { models } from '@whence/engine'
import type { z } from 'zod'
import { listPaymentLinkage, listPayments } from '../../src/features/corrections/payments/contract.ts'
import type { ReportMeta } from '../../src/features/figures/snapshot/snapshot.ts'
import { type Cohort, getCohorts } from '../../src/features/insights/cohorts/contract.ts'
import { getCustomer, listCustomers } from '../../src/features/insights/customers/contract.ts'
import { listAdPeople } from '../../src/features/insights/people-reached/contract.ts'
import { type ChannelRow, getChannels } from '../../src/features/insights/reports/channels/contract.ts'
import {
  campaignTrend,
  comparePlatforms,
  getAd,
  getAdIdQuality,
  getCampaign,
  getOverview,
  getUnattributed,
  listCampaignConversions,
  listCampaigns,
} from '../../src/features/insights/reports/contract.ts'
import type {
  CampaignTotal,
  CreditedConversion,
  DetailedRow,
} from '../../src/features/insights/reports/fields.ts'
import {
  listUnattributedConversions,
  listUnattributedReasons,
} from '../../src/features/insights/reports/unattributed/contract.ts'
import type { Client } from '../../src/platform/contract/client.ts'

export const levels = ['campaign', 'ad_set', 'ad'] as const
export type Level = (typeof levels)[number]
export type Model = (typeof models)[number]
export type Range = { date_from: string; date_to: string }
export type Row = z.output<typeof DetailedRow>
export type Total = z.output<typeof CampaignTotal>
export type Conversion = z.output<typeof CreditedConversion>
type Data<E extends { reply: z.ZodType }> = z.output<E['reply']>
type Reported<T> = { data: T; meta: ReportMeta }

/** Reports at one level under one model. */
export type AtLevel = {
  rows: Row[]
  total: Total
  rest: Data<typeof getUnattributed>
  compared: Data<typeof comparePlatforms>
}
export type UnderModel = {
  levels: Record<Level, AtLevel>
  channels: { rows: z.output<typeof ChannelRow>[]; total: Omit<z.output<typeof ChannelRow>, 'sources'> }
  reasons: Data<typeof listUnattributedReasons>
  overview: Data<typeof getOverview>
  cohorts: Record<'month' | 'campaign' | 'channel', Cohort[]>
  quality: Data<typeof getAdIdQuality>
  linkage: Data<typeof listPaymentLinkage>
}
/** Lists and details, read for one model only because there are so many. */
export type Details = {
  model: Model
  entities: {
    level: Level
    detail: Data<typeof getCampaign>
    ad: Data<typeof getAd> | undefined
    inside: Total
    trend: Data<typeof campaignTrend>
    conversions: Conversion[]
  }[]
  reasons: { reason: string; conversions: Conversion[] }[]
}
export type Figures = Amounts & {
  payments: Data<typeof listPayments>
  customers: Data<typeof listCustomers>
  people: {
    groupBy: 'month' | 'day' | 'ad'
    firstOnly: boolean
    data: Omit<Data<typeof listAdPeople>, 'origin_labels'>
  }[]
}
/** The reports alone, under some models or all. */
export type Amounts = {
  range: Range
  models: Record<Model, UnderModel>
  /** `meta` of each report, by route. */
  metas: { where: string; model: Model; level: Level; meta: ReportMeta }[]
}

type Page<T> = { data: T[]; pagination?: unknown }

/** Reads all pages of a list. */
export async function all<T>(
  readPage: (page: { limit: string; cursor?: string }) => Promise<Page<T>>,
): Promise<T[]> {
  const rows: T[] = []
  let cursor: string | null = null
  do {
    const page: Page<T> = await readPage({ limit: '100', ...(cursor === null ? {} : { cursor }) })
    rows.push(...page.data)
    cursor = (page.pagination as { cursor: string | null }).cursor
  } while (cursor !== null)
  return rows
}

/** Times around the range, wide enough for every time zone. */
const times = ({ date_from, date_to }: Range) => ({
  from: new Date(Date.parse(date_from) - 2 * 86_400_000).toISOString(),
  to: new Date(Date.parse(date_to) + 2 * 86_400_000).toISOString(),
})

export class Reader {
  readonly call: Client
  private metas: Figures['metas'] = []

  constructor(call: Client) {
    this.call = call
  }

  async amounts(range: Range, requestedModels: readonly Model[]): Promise<Amounts> {
    this.metas = []
    const byModel = await Promise.all(requestedModels.map((model) => this.underModel(range, model)))
    return {
      range,
      models: Object.fromEntries(
        requestedModels.map((model, index) => [model, byModel[index]!]),
      ) as Amounts['models'],
      metas: this.metas,
    }
  }

  async figures(range: Range): Promise<Figures> {
    return {
      ...(await this.amounts(range, models)),
      payments: await all((page) =>
        this.call(listPayments, { query: { ...times(range), status: 'all', ...page } }),
      ),
      customers: await all((page) => this.call(listCustomers, { query: page })),
      people: await this.people(range),
    }
  }

  customer(id: string) {
    return this.call(getCustomer, { params: { id } })
  }

  private note<T>(where: string, model: Model, level: Level, reply: { data: T; meta: unknown }): T {
    this.metas.push({ where, model, level, meta: (reply as Reported<T>).meta })
    return reply.data
  }

  private async underModel(range: Range, model: Model): Promise<UnderModel> {
    const query = { ...range, model }
    const atLevels = await Promise.all(levels.map((level) => this.atLevel(range, model, level)))
    const channels = await this.call(getChannels, { query })
    const cohort = async (by: 'month' | 'campaign' | 'channel') =>
      this.note(
        `cohorts by ${by}`,
        model,
        'campaign',
        await this.call(getCohorts, { query: { ...query, by } }),
      )
    return {
      levels: Object.fromEntries(
        levels.map((level, index) => [level, atLevels[index]!]),
      ) as UnderModel['levels'],
      channels: {
        rows: this.note('channels', model, 'campaign', channels),
        total: channels.total as UnderModel['channels']['total'],
      },
      reasons: this.note('reasons', model, 'campaign', await this.call(listUnattributedReasons, { query })),
      overview: this.note('overview', model, 'campaign', await this.call(getOverview, { query })),
      cohorts: {
        month: await cohort('month'),
        campaign: await cohort('campaign'),
        channel: await cohort('channel'),
      },
      quality: this.note('quality', model, 'ad', await this.call(getAdIdQuality, { query })),
      linkage: await all((page) =>
        this.call(listPaymentLinkage, { query: { ...times(range), model, ...page } }),
      ),
    }
  }

  private async atLevel(range: Range, model: Model, level: Level): Promise<AtLevel> {
    const query = { ...range, model, level }
    const listed = await this.call(listCampaigns, { query: { ...query, limit: '100' } })
    return {
      rows: this.note('campaigns', model, level, listed) as Row[],
      total: listed.total as Total,
      rest: this.note('rest', model, level, await this.call(getUnattributed, { query })),
      compared: this.note('comparison', model, level, await this.call(comparePlatforms, { query })),
    }
  }

  private async people(range: Range): Promise<Figures['people']> {
    const variants = (['month', 'day', 'ad'] as const).flatMap((groupBy) =>
      [true, false].map((firstOnly) => ({ groupBy, firstOnly })),
    )
    return Promise.all(
      variants.map(async ({ groupBy, firstOnly }) => {
        const { data } = await this.call(listAdPeople, {
          query: { ...range, group_by: groupBy, first_only: firstOnly ? 'true' : 'false', limit: '1000' },
        })
        const { origin_labels: _, ...withoutLabels } = data
        return { groupBy, firstOnly, data: withoutLabels }
      }),
    )
  }

  /** The lists and pages behind the rows of one model. */
  async details({ range, models: read }: Figures, model: Model): Promise<Details> {
    const query = { ...range, model }
    const under = read[model]
    const entities = levels.flatMap((level) =>
      under.levels[level].rows.map(({ campaign_id: id }) => ({ level, id })),
    )
    return {
      model,
      entities: await Promise.all(entities.map(({ level, id }) => this.entity(range, model, level, id))),
      reasons: await Promise.all(
        under.reasons.map(async ({ reason }) => ({
          reason,
          conversions: await all((page) =>
            this.call(listUnattributedConversions, { query: { ...query, reason, ...page } }),
          ),
        })),
      ),
    }
  }

  private async entity(
    range: Range,
    model: Model,
    level: Level,
    id: string,
  ): Promise<Details['entities'][number]> {
    const query = { ...range, model }
    const params = { id }
    const detail = await this.call(getCampaign, { params, query })
    const inside = await this.call(listCampaigns, {
      query: { ...query, level: 'ad', parent_id: id, limit: '100' },
    })
    const trend = await this.call(campaignTrend, { query: { ...query, level, entity_ids: id } })
    return {
      level,
      detail: detail.data,
      ad: level === 'ad' ? (await this.call(getAd, { params, query })).data : undefined,
      inside: inside.total as Total,
      trend: trend.data,
      conversions: await all((page) =>
        this.call(listCampaignConversions, { params, query: { ...query, ...page } }),
      ),
    }
  }
}
