/** Daily run: reads all visits, trains and validates the model, and credits the last 90 days. The API returns its result. */
import {
  CREDIT_UNITS,
  creditIntervals,
  creditSales,
  decideServing,
  MAX_CHANNELS,
  models,
  PERSON_GROUPS,
  type Sale,
  type Transition,
  type Verdict,
  type VisitCell,
} from '@whence/engine'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays, DAY_MS } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Connection, type Tx, withConnection } from '../../../platform/db/database.ts'
import { unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import { loadPaths } from '../../attribution/crediting/credits/paths.ts'
import { type AttributionProfile, loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { channelsOfSources } from '../../attribution/crediting/source-channels.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { AFTER_ALL } from '../../figures/rollups/credited-conversions.ts'
import { journeyPayments } from '../../figures/rollups/journey-payments.ts'
import type { DataDrivenReason } from './contract.ts'
import * as queries from './queries.ts'
import { CREDITED_DAYS, toPaths, VisitCounter, type Window, windowOf } from './rules.ts'

/** Increase whenever the same visits would result in other figures. */
export const METHOD_VERSION = 2
/** Memory limits: visits are streamed; 200,000 cells and 300,000 payments use about 60 MB. */
const MAX_TOUCHES = 5_000_000
const MAX_CELLS = 200_000
const MAX_PAYMENTS = 300_000
const MAX_PATHS_STORED = 500
/** Retention of earlier models. */
const HISTORY_DAYS = 400
const BATCH = 4000
const UNKNOWN = 'unknown'
const LINEAR_BIT = 1 << models.indexOf('linear')
const LAST_BIT = 1 << models.indexOf('last_touch')

/** The stored result; money in minor units. */
export type Learned = {
  reason: DataDrivenReason | null
  date_from: string
  date_to: string
  visits: number
  payments: number
  paths: number
  againstLastTouch: Verdict['againstLastTouch']
  againstOneRate: Verdict['againstOneRate']
  channels: {
    channel: string
    credit: number
    amountMinor: number
    lowMinor: number
    highMinor: number
    lastTouchMinor: number
  }[]
  total: { payments: number; amountMinor: number; fxMissing: number }
}

export async function learn({ service, db, now }: JobContext, profileId: string): Promise<void> {
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return
  const { backgroundDb } = await service.nodes.shardOf(profileId)
  const { result, paths, window } = await withConnection(backgroundDb, async (tx, client) => {
    await queries.freeze(tx)
    const attribution = await loadAttributionProfile(tx, profileId)
    const today = localDay(now, attribution.timezone)
    const window = windowOf(today, attribution.timezone, attribution.settings.lookbackDays)
    const credited = { from: addDays(today, -CREDITED_DAYS), to: window.to, days: CREDITED_DAYS }
    const visits = await readVisits({ tx, client }, attribution, window)
    const sold = visits && (await readSales(tx, profileId, credited, visits.numberOf))
    const result = toResult(credited, visits, sold)
    return { result, paths: visits ? toPaths(visits.cells, visits.channels) : [], window }
  })
  const model = {
    profileId,
    computed_at: now,
    version: METHOD_VERSION,
    learned_from: window.from,
    learned_to: window.to,
    paths_hash: hashOf(paths).toString('hex'),
    result: { ...result, paths: paths.length } satisfies Learned,
  }
  await backgroundDb.transaction().execute(async (tx) => {
    const since = new Date(now.getTime() - HISTORY_DAYS * DAY_MS)
    await queries.archiveModel(tx, { profileId, before: now, since })
    await queries.saveModel(tx, { ...model, paths: paths.slice(0, MAX_PATHS_STORED) })
  })
}

type Visits = {
  cells: VisitCell[]
  transitions: Transition[]
  channels: string[]
  numberOf: (channel: string | null) => number
}

/** Undefined if the memory limits are exceeded. */
async function readVisits(
  { tx, client }: Connection,
  attribution: AttributionProfile,
  window: Window,
): Promise<Visits | undefined> {
  const { profileId } = attribution
  if ((await queries.countTouches(tx, { profileId, window, most: MAX_TOUCHES })) > MAX_TOUCHES) return
  const sourceIds = await queries.listSourceIds(tx, { profileId, window })
  const channelOf = await channelsOfSources(tx, attribution, sourceIds)
  const channels = [UNKNOWN]
  const numberOf = (channel: string | null) => {
    const index = channels.indexOf(channel ?? UNKNOWN)
    if (index >= 0) return index
    return channels.length < MAX_CHANNELS ? channels.push(channel!) - 1 : 0
  }
  for (const channel of [...channelOf.values()].sort()) numberOf(channel)
  const numbers = new Map([...channelOf].map(([id, channel]) => [id.replaceAll('-', ''), numberOf(channel)]))
  const counter = new VisitCounter(window)
  await queries.readSteps(client, { profileId, window, groups: PERSON_GROUPS }, (step) => {
    if (counter.cells.size > MAX_CELLS) return
    if (step.sourceId === null) counter.payment(step.person, step.at)
    else counter.visit(step.person, step.group, step.at, numbers.get(step.sourceId) ?? 0)
  })
  if (counter.cells.size > MAX_CELLS) return
  return {
    cells: [...counter.cells.values()],
    transitions: [...counter.transitions.values()],
    channels,
    numberOf,
  }
}

type Sold = { sales: Sale[]; fxMissing: number }

/** Payments of the credited days, with the channels credited by the linear and last-touch models. */
async function readSales(
  tx: Tx,
  profileId: string,
  range: { from: string; to: string; days: number },
  numberOf: Visits['numberOf'],
): Promise<Sold | undefined> {
  const sold: Sold = { sales: [], fxMissing: 0 }
  const paths = await loadPaths(tx, profileId)
  const numberOfPath = (path: number) => numberOf(paths.get(path)?.channel ?? null)
  let below = { day: range.to, ...AFTER_ALL }
  for (;;) {
    const rows = await journeyPayments(tx, { profileId, range, below, most: BATCH })
    for (const row of rows) {
      const { touches, refunds } = unpackCredit(row.packed)
      const eligible = touches.filter((touch) => (touch.models & LINEAR_BIT) !== 0)
      const last = touches.find((touch) => (touch.models & LAST_BIT) !== 0) ?? eligible.at(-1)
      const refunded = refunds.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0)
      sold.fxMissing += refunds.filter(({ amountMinor }) => amountMinor === null).length
      if (row.report_value_minor === null) sold.fxMissing += 1
      else
        sold.sales.push({
          set: eligible.reduce((set, touch) => set | (1 << numberOfPath(touch.path)), 0) || 1,
          last: last === undefined ? 0 : numberOfPath(last.path),
          amountMinor: row.report_value_minor - refunded,
        })
    }
    if (sold.sales.length > MAX_PAYMENTS) return
    const end = rows.at(-1)
    if (end === undefined || rows.length < BATCH) return sold
    below = { day: end.day, at: end.occurred_at.toISOString(), id: end.conversion_id }
  }
}

function toResult(
  credited: { from: string; to: string },
  visits: Visits | undefined,
  sold: Sold | undefined,
): Learned {
  const sales = sold?.sales ?? []
  const cells = visits?.cells ?? []
  const channels = visits?.channels ?? []
  const verdict = decideServing(cells, sales, channels.length, visits?.transitions)
  const sum = (pick: (cell: VisitCell) => number) => cells.reduce((total, cell) => total + pick(cell), 0)
  const learned: Learned = {
    reason: visits === undefined || sold === undefined ? 'too_much_data' : verdict.reason,
    date_from: credited.from,
    date_to: credited.to,
    visits: sum((cell) => cell.visits),
    payments: sum((cell) => cell.conversions),
    paths: 0,
    againstLastTouch: verdict.againstLastTouch,
    againstOneRate: verdict.againstOneRate,
    channels: [],
    total: {
      payments: sales.length,
      amountMinor: sales.reduce((total, sale) => total + sale.amountMinor, 0),
      fxMissing: sold?.fxMissing ?? 0,
    },
  }
  return learned.reason === null ? { ...learned, channels: creditChannels(cells, sales, channels) } : learned
}

function creditChannels(
  cells: readonly VisitCell[],
  sales: readonly Sale[],
  channels: readonly string[],
): Learned['channels'] {
  const intervals = creditIntervals(cells, sales, channels.length)
  return creditSales(cells, sales, channels.length)
    .map(({ credit, amountMinor }, at) => ({
      channel: channels[at]!,
      credit: credit / CREDIT_UNITS,
      amountMinor,
      lowMinor: Math.min(intervals[at]!.lowMinor, amountMinor),
      highMinor: Math.max(intervals[at]!.highMinor, amountMinor),
      lastTouchMinor: sales.reduce((sum, sale) => sum + (sale.last === at ? sale.amountMinor : 0), 0),
    }))
    .filter(({ credit, lastTouchMinor }) => credit > 0 || lastTouchMinor !== 0)
    .sort((a, b) => b.amountMinor - a.amountMinor || (a.channel < b.channel ? -1 : 1))
}
