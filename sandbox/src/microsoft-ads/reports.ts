/** Reports: submitted, polled, and downloaded as a zipped CSV. Columns and zones are checked against the published enums. */
import { addDays, isDay, localDay } from '../days.ts'
import type { SandboxReply, SandboxRequest } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { clickOf, type Figures, figuresOf, type Leaf, leavesOf, type MsAccount } from './account.ts'
import { fault } from './faults.ts'
import published from './published-enums.json' with { type: 'json' }
import { zipOf } from './zip.ts'

type Row = Record<string, string>
type Report = { csv: string | null; polls: number; issuedAt: number }
type ReportJson = {
  Type?: string
  Columns?: string[]
  Aggregation?: string
  FormatVersion?: string
  ExcludeReportHeader?: boolean
  ExcludeReportFooter?: boolean
  ReturnOnlyCompleteData?: boolean
  Scope?: { AccountIds?: unknown[] }
  Time?: { CustomDateRangeStart?: DateJson; CustomDateRangeEnd?: DateJson; ReportTimeZone?: string }
}
type DateJson = { Day?: number; Month?: number; Year?: number }

type ReportOptions = {
  seed: string
  now: () => Date
  restated: ReadonlyMap<string, number>
  /** New names of campaigns by id: earlier rows have the old name. */
  renamed: ReadonlyMap<string, string>
  extraClicks: readonly Row[]
}

const DOWNLOAD_MS = 5 * 60_000
const KEPT_MS = 24 * 3_600_000

export function createReports(options: ReportOptions) {
  const reports = new Map<string, Report>()
  const ids = new Map<string, string>()
  let generation = 0
  const next = { pendingPolls: 0, failures: 0 }

  function submit(account: MsAccount, json: Record<string, unknown>): SandboxReply {
    const request = (json.ReportRequest ?? {}) as ReportJson
    const refusal = refusalOf(account, request)
    if (refusal !== null) return refusal
    // The same request gets the same id, so that a sync can be compared with its repetition.
    const id = seededDigits(14, options.seed, JSON.stringify(request), generation)
    reports.set(id, {
      csv: csvOf(account, request),
      polls: next.pendingPolls,
      issuedAt: options.now().getTime(),
    })
    return { status: 200, body: { ReportRequestId: id } }
  }

  function refusalOf(account: MsAccount, request: ReportJson): SandboxReply | null {
    const name = (request.Type ?? '').replace(/ReportRequest$/, '')
    const allowedColumns: readonly string[] | undefined = (
      published.reportColumns as Record<string, string[]>
    )[name]
    if (allowedColumns === undefined) return fault(400, 100, 'NullRequest', 'The request message is null.')
    const unknown = (request.Columns ?? []).find((column) => !allowedColumns.includes(column))
    if (unknown !== undefined)
      return fault(400, 2013, 'ReportingServiceInvalidReportColumn', `${unknown} is no column.`)
    if (!published.reportTimeZones.includes(request.Time?.ReportTimeZone ?? ''))
      return fault(400, 100, 'InvalidTimeZone', 'The time zone is not valid.')
    if (String(request.Scope?.AccountIds?.[0]) !== account.id)
      return fault(403, 2003, 'ReportingServiceAccountNotAuthorized', 'No privileges for the account.')
    const [since, until] = [
      dayOf(request.Time?.CustomDateRangeStart),
      dayOf(request.Time?.CustomDateRangeEnd),
    ]
    if (!isDay(since)) return fault(400, 2009, 'ReportingServiceInvalidCustomDateRangeStart', 'Not a date.')
    const today = localDay(options.now(), account.iana)
    if (!isDay(until) || until > today || until < since)
      return fault(400, 2010, 'ReportingServiceInvalidCustomDateRangeEnd', 'The end date is not valid.')
    if (request.ReturnOnlyCompleteData === true && until >= today)
      return fault(400, 2004, 'ReportingServiceNoCompleteDataAvaliable', 'Only partial data is available.')
    return null
  }

  function csvOf(account: MsAccount, request: ReportJson): string | null {
    const days = {
      since: dayOf(request.Time?.CustomDateRangeStart),
      until: dayOf(request.Time?.CustomDateRangeEnd),
    }
    const columns = request.Columns ?? []
    const hasCommas = request.FormatVersion !== '2.0'
    const rows = rowsOf(account, request.Type ?? '', days, columns)
    if (rows.length === 0) return null
    const line = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
    const formatCell = (column: string, value: string) =>
      hasCommas && column === 'Revenue'
        ? Number(value).toLocaleString('en-US', { minimumFractionDigits: 2 })
        : value
    return [
      ...(request.ExcludeReportHeader === true
        ? []
        : ['"Report Name: report"', `"Rows: ${rows.length}"`, '']),
      line(columns),
      ...rows.map((row) => line(columns.map((column) => formatCell(column, row[column] ?? '')))),
      ...(request.ExcludeReportFooter === true
        ? []
        : ['', '"@2026 Microsoft Corporation. All rights reserved. "']),
      '',
    ].join('\r\n')
  }

  /** One row per combination of the requested attributes. */
  function rowsOf(
    account: MsAccount,
    type: string,
    days: { since: string; until: string },
    columns: readonly string[],
  ): Row[] {
    const list = daysOf(days)
    if (type.startsWith('MSClickId')) return clickRows(account, list)
    const grouped = new Map<string, { row: Row; sum: Figures }>()
    for (const day of list)
      for (const leaf of leavesOf(account)) {
        if (type.startsWith('AdGroup') && leaf.group.isAssetGroup) continue
        if (type.startsWith('AssetGroup') && !leaf.group.isAssetGroup) continue
        if (type.startsWith('AdPerformance') && leaf.ad === null) continue
        for (const [part, figures] of partsOf(leaf, day)) {
          const attributes = attributesOf(account, part, day)
          const row = Object.fromEntries(
            columns.flatMap((column) => (column in attributes ? [[column, attributes[column]!]] : [])),
          )
          const key = JSON.stringify(row)
          const before = grouped.get(key)?.sum
          grouped.set(key, { row, sum: before === undefined ? figures : added(before, figures) })
        }
      }
    return [...grouped.values()].map(({ row, sum }) => ({ ...row, ...figureCells(sum) }))
  }

  /** A campaign that was renamed during the day has two rows for it if its name is requested. */
  function partsOf(leaf: Leaf, day: string): [Leaf, Figures][] {
    const figures = figuresOf(leaf, day)
    if (figures === null) return []
    const percent = options.restated.get(day) ?? 100
    const restated = { ...figures, spend: Math.round((figures.spend * percent) / 100) }
    const newName = options.renamed.get(leaf.campaign.id)
    if (newName === undefined) return [[leaf, restated]]
    const half = { ...restated, spend: Math.floor(restated.spend / 2), clicks: 0, conversions: 0, revenue: 0 }
    const otherHalf = { ...restated, spend: restated.spend - half.spend, impressions: 0 }
    return [
      [leaf, half],
      [{ ...leaf, campaign: { ...leaf.campaign, name: newName } }, otherHalf],
    ]
  }

  function clickRows(account: MsAccount, days: readonly string[]): Row[] {
    const seeded = days.flatMap((day) =>
      leavesOf(account).flatMap((leaf): Row[] =>
        figuresOf(leaf, day) === null
          ? []
          : [
              {
                TimePeriod: day,
                AccountId: account.id,
                CampaignId: leaf.campaign.id,
                AdGroupId: leaf.group.isAssetGroup ? '' : leaf.group.id,
                AssetGroupId: leaf.group.isAssetGroup ? leaf.group.id : '',
                AdId: leaf.ad?.id ?? '',
                MSClickId: clickOf(leaf, day),
                Clicks: '1',
              },
            ],
      ),
    )
    const planted = options.extraClicks.filter((row) => days.includes(row.TimePeriod ?? ''))
    return [...seeded, ...planted]
  }

  function poll(id: string): SandboxReply {
    const report = reports.get(id)
    if (report === undefined || options.now().getTime() - report.issuedAt > KEPT_MS)
      return fault(400, 2100, 'ReportingServiceInvalidReportId', 'The report identifier is not valid.')
    const status = (Status: string, ReportDownloadUrl: string | null): SandboxReply => ({
      status: 200,
      body: { ReportRequestStatus: { ReportDownloadUrl, Status } },
    })
    if (next.failures > 0) {
      next.failures -= 1
      return status('Error', null)
    }
    if (report.polls > 0) {
      report.polls -= 1
      return status('Pending', null)
    }
    if (report.csv === null) return status('Success', null)
    const ticket = seededDigits(12, id, options.now().getTime(), ids.size)
    ids.set(ticket, `${id} ${options.now().getTime()}`)
    return status('Success', `{base}/download/${ticket}`)
  }

  return {
    submit,
    poll(request: SandboxRequest, id: string): SandboxReply {
      const reply = poll(id)
      return { ...reply, body: JSON.parse(JSON.stringify(reply.body).replace('{base}', request.baseUrl)) }
    },
    download(request: SandboxRequest, ticket: string): SandboxReply {
      const [id, at] = ids.get(ticket)?.split(' ') ?? []
      const isExpired = options.now().getTime() - Number(at) > DOWNLOAD_MS
      // Like storage behind a signed URL: a request that also has a token is refused.
      if (id === undefined || isExpired || request.headers.authorization !== undefined)
        return { status: 403, body: '<Error><Code>AuthenticationFailed</Code></Error>' }
      const headers = { 'content-type': 'application/zip' }
      return { status: 200, headers, body: zipOf(`${id}.csv`, reports.get(id)!.csv!) }
    },
    pend(polls: number) {
      next.pendingPolls = polls
    },
    failNext(times: number) {
      next.failures = times
    },
    expireDownloads() {
      ids.clear()
    },
    forget() {
      reports.clear()
      generation += 1
    },
  }
}

const dayOf = (date: DateJson | undefined): string =>
  `${date?.Year}-${String(date?.Month).padStart(2, '0')}-${String(date?.Day).padStart(2, '0')}`

function daysOf({ since, until }: { since: string; until: string }): string[] {
  const days: string[] = []
  for (let day = since; day <= until; day = addDays(day, 1)) days.push(day)
  return days
}

const attributesOf = (account: MsAccount, { campaign, group, ad }: Leaf, day: string): Row => ({
  TimePeriod: day,
  AccountId: account.id,
  CurrencyCode: account.currency,
  CampaignId: campaign.id,
  CampaignName: campaign.name,
  ...(group.isAssetGroup
    ? { AssetGroupId: group.id, AssetGroupName: group.name }
    : { AdGroupId: group.id, AdGroupName: group.name }),
  ...(ad === null ? {} : { AdId: ad.id }),
})

const added = (a: Figures, b: Figures): Figures => ({
  spend: a.spend + b.spend,
  impressions: a.impressions + b.impressions,
  clicks: a.clicks + b.clicks,
  conversions: a.conversions + b.conversions,
  revenue: a.revenue + b.revenue,
})

const hundredths = (value: number) => (value / 100).toFixed(2)
const figureCells = (sum: Figures): Row => ({
  Spend: hundredths(sum.spend),
  Impressions: String(sum.impressions),
  Clicks: String(sum.clicks),
  Conversions: String(Math.floor(sum.conversions / 100)),
  ConversionsQualified: hundredths(sum.conversions),
  Revenue: hundredths(sum.revenue),
})
