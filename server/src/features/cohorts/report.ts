/** Customers by their first payment: what they paid over the months, and when that reached what was spent. */
import { models } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../context.ts'
import { listMonths } from '../../contract/dates.ts'
import { localDay } from '../../contract/zones.ts'
import { unpackCredit } from '../attribution/credits/packed.ts'
import { loadPaths } from '../attribution/credits/paths.ts'
import { paidChannelOf } from '../attribution/credits/source-name.ts'
import { addDelivery, spendOf } from '../reports/campaigns.ts'
import { knownMinor, type Spend, toMoney } from '../reports/definitions.ts'
import { platformRows } from '../reports/platform-totals.ts'
import { deliveryByEntity } from '../reports/queries/delivery-by-entity.ts'
import { entityDetails } from '../reports/queries/entities.ts'
import { type Reported, type ReportScope, report, type Snapshot } from '../reports/snapshot.ts'
import type { Cohort, CohortBy } from './contract.ts'
import { listOpeningCredits, listPaid, spendByMonth } from './queries.ts'
import { CohortSums, monthNumber, paybackMonth, splitByKey } from './rules.ts'

type Scope = Omit<ReportScope, 'level'> & { by: z.output<typeof CohortBy>; horizon: number }
type Group = { key: string | null; name: string | null; sums: CohortSums; spend: Spend }

const UNKNOWN_CHANNEL = 'unknown'
const noSpend: Spend = { spendMinor: 0, unrated: 0 }

export function getCohorts(context: ProfileContext, scope: Scope): Promise<Reported<Cohort[]>> {
  const today = monthNumber(localDay(context.now, context.profile.timezone))
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const groups =
      scope.by === 'month' ? await byMonth(snapshot, scope) : await byCredit(snapshot, scope, scope.by)
    return {
      data: groups.map((group) => toCohort(group, today, snapshot.currency)),
      fxMissing: groups.reduce((sum, { spend }) => sum + spend.unrated, 0),
    }
  })
}

function toCohort({ key, name, sums, spend }: Group, today: number, currency: string): Cohort {
  const { cumulativeMinor, payers } = sums.cells(today)
  const spendMinor = knownMinor(spend.spendMinor, spend.unrated)
  return {
    key,
    name,
    size: sums.size,
    spend: toMoney(spendMinor, currency),
    cumulative_revenue: cumulativeMinor.map((minor) => toMoney(minor, currency)),
    paying_customers: payers,
    payback_month: paybackMonth(cumulativeMinor, spendMinor),
  }
}

/** Every month of the range, oldest first. */
async function byMonth({ tx, profileId }: Snapshot, { range, horizon }: Scope): Promise<Group[]> {
  const params = { profileId, range }
  const paid = Map.groupBy(await listPaid(tx, { ...params, by: 'month', horizon }), (row) => row.month)
  const spent = new Map((await spendByMonth(tx, params)).map((row) => [row.month, row]))
  return listMonths(range.from, range.to).map(({ month }) => {
    const sums = new CohortSums(horizon)
    sums.addCustomers(0, monthNumber(month))
    for (const row of paid.get(monthNumber(month)) ?? []) {
      // Everybody paid in their first month.
      if (row.months === 0) sums.addCustomers(row.payers, row.month)
      sums.addMoney(row.months, row.value_minor)
      sums.addPayers(row.months, row.payers)
    }
    const spend = spent.get(month)
    return {
      key: month,
      name: month,
      sums,
      spend: spend === undefined ? noSpend : { spendMinor: spend.spend_minor, unrated: spend.unrated },
    }
  })
}

/** By what the model credits the first payment with, the largest first. */
async function byCredit(
  snapshot: Snapshot,
  { range, model, horizon }: Scope,
  by: 'campaign' | 'channel',
): Promise<Group[]> {
  const { tx, profileId } = snapshot
  const paths = await loadPaths(tx, profileId)
  const keyOf = (number: number) => {
    const path = paths.get(number)
    return by === 'campaign' ? (path?.campaignId ?? null) : (path?.channel ?? UNKNOWN_CHANNEL)
  }
  const nobody = by === 'campaign' ? null : UNKNOWN_CHANNEL
  const modelNumber = models.indexOf(model)
  const sums = new Map<string | null, CohortSums>()
  const sumsOf = (key: string | null) => {
    const known = sums.get(key ?? nobody) ?? new CohortSums(horizon)
    sums.set(key ?? nobody, known)
    return known
  }
  const paid = Map.groupBy(
    await listPaid(tx, { profileId, range, by: 'customer', horizon }),
    (row) => row.opened_by,
  )
  for (const { conversion_id, packed } of await listOpeningCredits(tx, { profileId, range })) {
    const own = paid.get(conversion_id)
    if (own === undefined) continue
    const credit = unpackCredit(packed)
    const keys = [...splitByKey(credit, modelNumber, 0, keyOf).keys()]
    for (const key of keys) sumsOf(key).addCustomers(1, own[0]!.month)
    for (const row of own) {
      for (const key of keys) sumsOf(key).addPayers(row.months, row.payers)
      for (const [key, minor] of splitByKey(credit, modelNumber, row.value_minor, keyOf))
        sumsOf(key).addMoney(row.months, minor)
    }
  }
  const spent = by === 'campaign' ? await spendByCampaign(snapshot) : await spendByChannel(snapshot)
  const names = await namesOf(snapshot, by, [...sums.keys()])
  return [...sums]
    .map(([key, own]) => ({ key, name: names.get(key) ?? null, sums: own, spend: spent.get(key) ?? noSpend }))
    .sort((a, b) => b.sums.size - a.sums.size || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
}

async function spendByCampaign({ tx, profileId, cover }: Snapshot): Promise<Map<string | null, Spend>> {
  const rows = await deliveryByEntity(tx, { profileId, level: 'campaign', cover })
  return new Map(rows.map((row) => [row.entity_id, spendOf(row)]))
}

async function spendByChannel(snapshot: Snapshot): Promise<Map<string | null, Spend>> {
  const { deliveryRows } = await platformRows(snapshot)
  const byChannel = Map.groupBy(deliveryRows, ([platform]) => paidChannelOf(platform))
  return new Map(
    [...byChannel].map(([channel, own]) => [
      channel,
      spendOf(addDelivery(own.flatMap(([, delivery]) => delivery))),
    ]),
  )
}

async function namesOf(
  { tx, profileId }: Snapshot,
  by: 'campaign' | 'channel',
  keys: readonly (string | null)[],
): Promise<Map<string | null, string | null>> {
  const known = keys.filter((key) => key !== null)
  if (by === 'channel') return new Map(known.map((key) => [key, key]))
  const details = await entityDetails(tx, { profileId, ids: known })
  return new Map([...details].map(([id, detail]) => [id, detail.name ?? detail.external_id]))
}
