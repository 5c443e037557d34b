/** Cohorts of customers by their first payment: payments over the months, and when they reach the spend. */
import { models } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { listMonths } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { paidChannelOf } from '../../../platform/contract/paid-channels.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { PackedShares } from '../../attribution/crediting/credits/packed.ts'
import { loadPaths } from '../../attribution/crediting/credits/paths.ts'
import { knownMinor, type Spend, toMoney } from '../../figures/definitions/definitions.ts'
import { deliveryByEntity } from '../../figures/rollups/delivery-by-entity.ts'
import { entityDetails } from '../../figures/rollups/entities.ts'
import { spendByMonth } from '../../figures/rollups/spend-by-month.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import { type Reported, type ReportScope, report, type Snapshot } from '../../figures/snapshot/snapshot.ts'
import { addDelivery, spendOf } from '../reports/campaigns.ts'
import { platformRows } from '../reports/platform-totals.ts'
import type { Cohort, CohortBy } from './contract.ts'
import { Customers } from './customers.ts'
import type { Payers } from './payers.ts'
import { readOpeningCredits, readPayers } from './queries.ts'
import { addCustomer, CohortSums, CreditedCohorts, monthNumber, paybackMonth } from './rules.ts'
import { Semaphore } from './semaphore.ts'

type Scope = Omit<ReportScope, 'level'> & { by: z.output<typeof CohortBy>; horizon: number }
/** `spent`: all spend of the range, including that of groups without customers. `everyone`: each customer once. */
type Cohorts = { groups: Group[]; spent: Spend[]; everyone: CohortSums }
type Total = Omit<Cohort, 'key' | 'name'>
type Group = { key: string | null; name: string | null; sums: CohortSums; spend: Spend }

const UNKNOWN_CHANNEL = 'unknown'
/** Payments in memory of all concurrent reports of this process; about 450 MiB. */
const MAX_PAYMENTS = 5_000_000
const RETRY_SECONDS = 5
export const paymentBudget = new Semaphore(MAX_PAYMENTS)
const noSpend: Spend = { spendMinor: 0, unrated: 0 }

export async function getCohorts(
  context: ProfileContext,
  scope: Scope,
): Promise<Reported<Cohort[]> & { total: Total }> {
  let total!: Total
  const today = monthNumber(localDay(context.now, context.profile.timezone))
  const result = await report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const { currency } = snapshot
    // Approximately the payments to read.
    const [stored] = await readSums(snapshot.tx, {
      profileId: snapshot.profileId,
      measures: ['payments'],
      by: [],
    })
    const count = stored!.payments
    if (count > MAX_PAYMENTS) throw tooMany()
    const cohorts = await paymentBudget.hold(count, () =>
      scope.by === 'month' ? byMonth(snapshot, scope) : byCredit(snapshot, scope, scope.by),
    )
    if (cohorts === undefined)
      throw new ApiError(
        'service_unavailable',
        'Other large cohort reports are running. Try again in a few seconds.',
        { retryAfter: RETRY_SECONDS },
      )
    const spent = cohorts.spent.reduce(
      (sum, { spendMinor, unrated }) => ({
        spendMinor: sum.spendMinor + spendMinor,
        unrated: sum.unrated + unrated,
      }),
      noSpend,
    )
    total = toFigures({ sums: cohorts.everyone, spend: spent }, today, currency)
    return {
      data: cohorts.groups.map(({ key, name, ...group }) => ({
        key,
        name,
        ...toFigures(group, today, currency),
      })),
      fxMissing: spent.unrated,
    }
  })
  return { ...result, total }
}

function toFigures({ sums, spend }: Pick<Group, 'sums' | 'spend'>, today: number, currency: string): Total {
  const { cumulativeMinor, payers } = sums.cells(today)
  const spendMinor = knownMinor(spend.spendMinor, spend.unrated)
  return {
    size: sums.size,
    spend: toMoney(spendMinor, currency),
    cumulative_revenue: cumulativeMinor.map((minor) => toMoney(minor, currency)),
    paying_customers: payers,
    payback_month: paybackMonth(cumulativeMinor, spendMinor),
  }
}

/** Every month of the range, oldest first. */
async function byMonth(snapshot: Snapshot, { range, horizon }: Scope): Promise<Cohorts> {
  const { tx, profileId } = snapshot
  const sums = new Map<number, CohortSums>()
  const everyone = new CohortSums(horizon)
  for (const { month } of listMonths(range.from, range.to)) {
    const empty = new CohortSums(horizon)
    empty.addCustomers(0, monthNumber(month))
    sums.set(monthNumber(month), empty)
  }
  const customers = await Customers.of(await loadPayers(snapshot), range, horizon)
  await customers.readAll(() => {
    const { month, minor, hasPaid } = customers
    addCustomer(sums.get(month)!, month, minor, hasPaid)
    addCustomer(everyone, month, minor, hasPaid)
  })
  const spendRows = new Map((await spendByMonth(tx, { profileId, range })).map((row) => [row.month, row]))
  const groups = listMonths(range.from, range.to).map(({ month }) => {
    const spend = spendRows.get(month)
    return {
      key: month,
      name: month,
      sums: sums.get(monthNumber(month))!,
      spend: spend === undefined ? noSpend : { spendMinor: spend.spend_minor, unrated: spend.unrated },
    }
  })
  return { groups, spent: groups.map(({ spend }) => spend), everyone }
}

async function loadPayers({ tx, profileId }: Snapshot): Promise<Payers> {
  const payers = await readPayers(tx, profileId, MAX_PAYMENTS)
  if (payers === undefined) throw tooMany()
  return payers
}

const tooMany = () => new ApiError('service_unavailable', `Cohorts are limited to ${MAX_PAYMENTS} payments.`)

/** By the campaign or channel credited with the first payment, largest first. */
async function byCredit(
  snapshot: Snapshot,
  { range, model, horizon }: Scope,
  by: 'campaign' | 'channel',
): Promise<Cohorts> {
  const { tx, profileId } = snapshot
  const paths = await loadPaths(tx, profileId)
  const keyOf = (number: number) => {
    const path = paths.get(number)
    return by === 'campaign' ? (path?.campaignId ?? null) : (path?.channel ?? UNKNOWN_CHANNEL)
  }
  const cohorts = new CreditedCohorts(horizon, keyOf, by === 'campaign' ? null : UNKNOWN_CHANNEL)
  const payers = await loadPayers(snapshot)
  const customers = await Customers.of(payers, range, horizon)
  const everyone = new CohortSums(horizon)
  const shares = new PackedShares()
  const modelNumber = models.indexOf(model)
  await readOpeningCredits(tx, profileId, (view, conversionId, bytes, begin, end) => {
    const opening = payers.openings.numberOf(view, conversionId, false)
    if (opening < 0 || !customers.read(opening)) return
    shares.read(bytes, begin, end, modelNumber)
    const { month, minor, hasPaid } = customers
    cohorts.add(shares, month, minor, hasPaid)
    addCustomer(everyone, month, minor, hasPaid)
  })
  const sums = cohorts.byKey
  const spent = by === 'campaign' ? await spendByCampaign(snapshot) : await spendByChannel(snapshot)
  const names = await namesOf(snapshot, by, [...sums.keys()])
  const groups = [...sums]
    .map(([key, cohort]) => ({
      key,
      name: names.get(key) ?? null,
      sums: cohort,
      spend: spent.get(key) ?? noSpend,
    }))
    .sort((a, b) => b.sums.size - a.sums.size || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
  return { groups, spent: [...spent.values()], everyone }
}

async function spendByCampaign({ tx, profileId, cover }: Snapshot): Promise<Map<string | null, Spend>> {
  const rows = await deliveryByEntity(tx, { profileId, level: 'campaign', cover })
  return new Map(rows.map((row) => [row.entity_id, spendOf(row)]))
}

async function spendByChannel(snapshot: Snapshot): Promise<Map<string | null, Spend>> {
  const { deliveryRows } = await platformRows(snapshot)
  const byChannel = Map.groupBy(deliveryRows, ([platform]) => paidChannelOf(platform))
  return new Map(
    [...byChannel].map(([channel, entries]) => [
      channel,
      spendOf(addDelivery(entries.flatMap(([, delivery]) => delivery))),
    ]),
  )
}

async function namesOf(
  { tx, profileId }: Snapshot,
  by: 'campaign' | 'channel',
  keys: readonly (string | null)[],
): Promise<Map<string | null, string | null>> {
  const definedKeys = keys.filter((key) => key !== null)
  if (by === 'channel') return new Map(definedKeys.map((key) => [key, key]))
  const details = await entityDetails(tx, { profileId, ids: definedKeys })
  return new Map([...details].map(([id, detail]) => [id, detail.name ?? detail.external_id]))
}
