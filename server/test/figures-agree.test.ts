/**
 * One world on every surface where figures leave the house. A figure is compared by its name as people read it: a word
 * has one value, wherever it is shown, and every ratio is the money of its line over the spend of its line.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sumClients } from '../../console/src/pages/clients/totals.ts'
import { createGoal } from '../src/features/corrections/goals/contract.ts'
import { listPayments, recordRefund } from '../src/features/corrections/payments/contract.ts'
import { sendEvent } from '../src/features/facts/events/contract.ts'
import { getChannels } from '../src/features/insights/reports/channels/contract.ts'
import { getOverview, listCampaigns } from '../src/features/insights/reports/contract.ts'
import type { CampaignTotal } from '../src/features/insights/reports/fields.ts'
import { getJourneys } from '../src/features/insights/reports/journeys/contract.ts'
import { createDataDestination, startDataRun } from '../src/features/outgoing/data-exports/contract.ts'
import { listClients } from '../src/features/sharing/clients/contract.ts'
import { createLiveLink } from '../src/features/sharing/live-links/contract.ts'
import { parseCsv } from '../src/platform/csv.ts'
import { runExportNow } from './data-export-world.ts'
import { openExport } from './exported-files.ts'
import { makeKey } from './make.ts'
import { days, openReportDesk, type ReportDesk } from './report-desk.ts'

const words = [
  'Revenue',
  'Ad spend',
  'Total ROAS',
  'Credited revenue',
  'Ad ROAS',
  'Payments',
  'Cost per payment',
] as const
type Word = (typeof words)[number]
type Figures = Partial<Record<Word, number | null>>

let desk: ReportDesk
let folder: string
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-figures-agree-'))
  desk = await openReportDesk({ DATA_EXPORT_DIR: folder })
  const { app, profileId } = desk
  key = await makeKey(app, profileId, [
    'mcp:read',
    'analytics:read',
    'campaigns:read',
    'events:write',
    'tracking:write',
    'payments:read',
    'payments:write',
  ])
  const call = app.as(key)
  const pay = (name: string, day: string, value: number) =>
    call(sendEvent, {
      body: {
        event_name: name,
        anonymous_id: 'ana',
        timestamp: `${day}T12:00:00Z`,
        idempotency_key: `${name} ${day}`,
        properties: { value },
      },
    })
  // What definitions differ in: cash that is never credited, refunds of other days, a visit before the lookback.
  await call(createGoal, {
    body: {
      display_name: 'Donation',
      conversion_key: 'donated',
      source_event_names: ['donated'],
      outcome_type: 'donation',
      revenue_type: 'cash',
      attribution_eligible: false,
    },
  })
  await call(sendEvent, {
    body: {
      event_name: 'visit',
      anonymous_id: 'ana',
      timestamp: '2026-03-10T12:00:00Z',
      ad: { ad_id: 'A2' },
    },
  })
  await pay('payment_received', '2026-04-28', 41.37)
  await pay('payment_received', '2026-05-20', 63.19)
  await pay('donated', '2026-05-21', 7.77)
  await app.service.processor.settled(profileId)
  const range = { from: '2026-04-28', to: '2026-05-20' }
  for (const { payment_id, value } of (await call(listPayments, { query: range })).data) {
    const refunded_at =
      value === 41.37 ? '2026-05-11T09:00:00Z' : value === 63.19 ? '2026-06-02T09:00:00Z' : null
    if (refunded_at !== null)
      await call(recordRefund, { params: { payment_id }, body: { amount: 11.03, refunded_at } })
  }
  await app.service.processor.settled(profileId)
})
afterAll(async () => {
  await desk.app.close()
  await rm(folder, { recursive: true, force: true })
})

/** As people read them: two decimals. */
const rounded = (value: number | null | undefined) => (value == null ? null : Math.round(value * 100) / 100)
const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0)

/** Words of a page in English, each followed by its figure. */
function readText(text: string, found: readonly Word[]): Figures {
  return Object.fromEntries(
    found.map((word) => {
      const match = new RegExp(`${word}\\s*:?\\s*(-?)€?([\\d,]+(?:\\.\\d+)?)×?`).exec(text)
      return [word, match === null ? null : Number(`${match[1]}${match[2]!.replaceAll(',', '')}`)]
    }),
  )
}
const withoutTags = (page: string) => page.replace(/<style>.*?<\/style>/gs, '').replace(/<[^>]*>/g, ' ')

async function readApi(): Promise<Record<string, Figures>> {
  const { owner, params, profileId } = desk
  const query = { ...days, profile_id: profileId }
  const { data, meta } = await owner.call(getOverview, { query })
  const { totals } = data
  const reconciliation = meta.reconciliation as { total: number; credited: number }
  const campaigns = await owner.call(listCampaigns, { query })
  const journeys = await owner.call(getJourneys, { query })
  const channels = await owner.call(getChannels, { query })
  const clients = await owner.call(listClients, { params, query: days })
  const row = clients.data.find((client) => client.profile_id === profileId)!
  const ofConsole = sumClients([row])!.now
  const total = campaigns.total as CampaignTotal
  const paths = journeys.total as { outcome_value: number; payments: number }
  const inClients = {
    Revenue: row.revenue,
    'Ad spend': row.spend,
    'Total ROAS': row.total_roas,
    'Credited revenue': row.credited_revenue,
    'Ad ROAS': row.roas,
    Payments: row.payments,
  }
  return {
    overview: {
      Revenue: totals.revenue,
      'Ad spend': totals.spend,
      'Total ROAS': totals.total_roas,
      'Credited revenue': totals.credited_revenue,
      'Ad ROAS': totals.roas,
      Payments: totals.payments,
      'Cost per payment': totals.cac,
    },
    'days of overview': {
      Revenue: sum(data.days.map(({ revenue }) => revenue)),
      'Ad spend': sum(data.days.map(({ spend }) => spend)),
      'Credited revenue': sum(data.days.map(({ credited_revenue }) => credited_revenue)),
      Payments: sum(data.days.map(({ payments }) => payments)),
    },
    reconciliation: { Revenue: reconciliation.total, 'Credited revenue': reconciliation.credited },
    'total of campaigns': {
      'Ad spend': total.spend,
      'Credited revenue': total.outcome_value,
      'Ad ROAS': total.roas,
      'Cost per payment': total.cac,
    },
    journeys: { Revenue: paths.outcome_value, Payments: paths.payments },
    'paths of journeys': {
      Revenue: sum(journeys.data.map(({ outcome_value }) => outcome_value)),
      Payments: sum(journeys.data.map(({ payments }) => payments)),
    },
    channels: {
      Revenue: sum(channels.data.map(({ outcome_value }) => outcome_value)),
      Payments: sum(channels.data.map(({ outcome_count }) => outcome_count)),
    },
    'all clients': inClients,
    console: {
      Revenue: ofConsole.revenue,
      'Ad spend': ofConsole.spend,
      'Total ROAS': ofConsole.total_roas,
      'Ad ROAS': ofConsole.roas,
      Payments: ofConsole.payments,
    },
  }
}

async function readReports(): Promise<Record<string, Figures>> {
  const address = 'client@example.com'
  const pdf = await desk.generate({ format: 'pdf', send: true, recipients: [address] })
  const page = await desk.generate({ format: 'html' })
  const csv = await desk.generate({ format: 'csv' })
  await desk.drain()
  const { text } = await extractText(new Uint8Array((await desk.download(pdf)).bytes), { mergePages: true })
  const [mail] = await desk.inbox(address)
  const [head, ...rows] = parseCsv((await desk.download(csv)).bytes.toString())!
  const cell = (line: string, name: string) => {
    const value = rows.find(([kind]) => kind === line)![head!.indexOf(name)]!
    return value === '' ? null : Number(value)
  }
  for (const [line, ...cells] of rows) {
    const [spend, revenue, roas] = ['spend', 'revenue', 'roas'].map((name) => cells[head!.indexOf(name) - 1]!)
    if (roas !== '') expect(Number(roas), line).toBeCloseTo(Number(revenue) / Number(spend), 5)
  }
  return {
    'report (PDF)': readText(text, words),
    'report (HTML)': readText(withoutTags((await desk.download(page)).bytes.toString()), words),
    'report (CSV)': {
      Revenue: cell('total', 'revenue'),
      'Ad spend': cell('total', 'spend'),
      'Total ROAS': cell('total', 'roas'),
      Payments: cell('total', 'payments'),
      'Credited revenue': cell('all_campaigns', 'revenue'),
      'Ad ROAS': cell('all_campaigns', 'roas'),
      'Cost per payment': cell('all_campaigns', 'cac'),
    },
    mail: readText(mail!.text!, ['Revenue', 'Ad spend', 'Total ROAS']),
  }
}

async function readLiveLink(): Promise<Record<string, Figures>> {
  const { app, owner, params, profileId } = desk
  const body = { profile_id: profileId, name: 'Live', period: 'last_month' }
  const { url } = (await owner.call(createLiveLink, { params, body })).data
  await app.service.clock.set(app.service.db, Date.parse('2026-06-03T12:00:00Z') - Date.now())
  const text = withoutTags(await (await fetch(url)).text())
  const total = [...text.matchAll(/Total\s+€([\d.]+)\s+(\d+)\s+€([\d.]+)\s+([\d.]+)×/g)].at(-1)!
  return {
    'live link': readText(text, words),
    'channels of the live link': {
      Revenue: Number(total[1]),
      Payments: Number(total[2]),
      'Ad spend': Number(total[3]),
      'Total ROAS': Number(total[4]),
    },
  }
}

async function readExport(): Promise<Record<string, Figures>> {
  const { app, owner, profileId } = desk
  const query = { profile_id: profileId }
  const body = { kind: 'file', name: 'Files', target: { folder: 'files' }, schedule: 'on_demand' }
  const { data: destination } = await owner.call(createDataDestination, { query, body })
  const { data: run } = await owner.call(startDataRun, { query, body: { destination_id: destination.id } })
  await runExportNow(app, profileId, run.id)
  const files = await openExport(join(folder, profileId, 'files'))
  const range = { ...days, model: 'last_touch' }
  const campaigns = await files.report('campaigns', { ...range, level: 'campaign' })
  const channels = await files.report('channels', range)
  files.close()
  const total = (rows: Record<string, unknown>[], name: string) => sum(rows.map((row) => row[name] as number))
  const credited = campaigns.filter(({ id }) => id !== null)
  return {
    'SQL by campaign': {
      Revenue: total(campaigns, 'outcome_value_minor') / 100,
      'Credited revenue': total(credited, 'outcome_value_minor') / 100,
      'Ad spend': total(credited, 'spend_minor') / 100,
      Payments: total(campaigns, 'outcome_count'),
    },
    'SQL by channel': {
      Revenue: total(channels, 'outcome_value_minor') / 100,
      Payments: total(channels, 'outcome_count'),
    },
  }
}

async function readAssistant(): Promise<Record<string, Figures>> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${desk.app.baseUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  const { structuredContent } = await client.callTool({ name: 'get_overview', arguments: days })
  await client.close()
  const { totals } = (structuredContent as { data: { totals: Record<string, number> } }).data
  return {
    assistant: {
      Revenue: totals.revenue!,
      'Ad spend': totals.spend!,
      'Total ROAS': totals.total_roas!,
      'Credited revenue': totals.credited_revenue!,
      'Ad ROAS': totals.roas!,
      Payments: totals.payments!,
      'Cost per payment': totals.cac!,
    },
  }
}

it('every word has one value on every surface', async () => {
  const surfaces = {
    ...(await readApi()),
    ...(await readReports()),
    ...(await readExport()),
    ...(await readAssistant()),
    // Last, because it moves the clock.
    ...(await readLiveLink()),
  }
  const { overview } = surfaces
  // 150 of the world, and what this file adds: 63.19 + 7.77 − 11.03 refunded in May.
  expect(overview).toMatchObject({ Revenue: 209.93, 'Ad spend': 70 })
  const shown: Record<string, Record<string, number | null>> = {}
  const agreed: typeof shown = {}
  for (const [surface, figures] of Object.entries(surfaces))
    for (const [word, value] of Object.entries(figures)) {
      agreed[word] = { ...agreed[word], [surface]: rounded(overview![word as Word]) }
      shown[word] = { ...shown[word], [surface]: rounded(value) }
    }
  expect(shown).toEqual(agreed)
  expect(Object.keys(shown).sort()).toEqual([...words].sort())
})
