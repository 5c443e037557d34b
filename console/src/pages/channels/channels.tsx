import { getChannels } from '@whence/server/features/insights/reports/channels/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'
import { usePlace, useProfileRead } from '../../api/profile.ts'
import { count, money, percent, ratio } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { providerName, sentence } from '../../names/providers.ts'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats, metaOf } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { Overrides } from './overrides.tsx'
import { TryLink } from './try-link.tsx'

type Channel = ReplyOf<typeof getChannels>[number]
type Source = Channel['sources'][number]
type Figures = Omit<Source, 'source' | 'kind'>
type Row = Figures & { key: string; name: string; sub: string | null }

/** All revenue by origin: ads next to every other channel. */
export function Channels() {
  const { profile } = usePlace()
  const { query, range } = useReport()
  const channels = useProfileRead(getChannels, { query }, { keep: true })
  const amount = (value: number | null) => money(value, profile.currency)
  return (
    <Page
      title="Channels"
      note={`${rangeText(range.from, range.to)}. All revenue by the channel it came from: ads, search, email, direct visits and the rest.`}
      actions={<ReportControls />}
    >
      <Loaded query={channels}>
        {(reply) => {
          const total = reply.total as Figures
          const columns = (name: string) => columnsFor(name, amount, total.outcome_value)
          return (
            <>
              <Caveats meta={metaOf(reply)} />
              {reply.data.length === 0 ? (
                <Card>
                  <Empty icon="overview" title="No revenue in these days">
                    Choose other days, or connect a payment provider or a store.
                  </Empty>
                </Card>
              ) : (
                <>
                  <dl className="grid-stats">
                    <Stat label="Revenue" value={amount(total.outcome_value)} detail="refunds subtracted" />
                    <Stat label="Payments" value={count(total.outcome_count)} />
                    <Stat label="Ad spend" value={amount(total.spend)} />
                  </dl>
                  <Card title="By channel" note="The shares add up to all revenue." flush>
                    <DataTable
                      label="Revenue by channel"
                      columns={columns('Channel')}
                      rows={reply.data.map(toChannelRow)}
                      rowKey={(row) => row.key}
                      initialSort={{ id: 'revenue', descending: true }}
                    />
                  </Card>
                  <Card
                    title="By source"
                    note="The ad platform, newsletter or site that a visit came from. A payment that several sources share counts in each."
                    flush
                  >
                    <DataTable
                      label="Revenue by source"
                      columns={columns('Source')}
                      rows={reply.data.flatMap(toSourceRows)}
                      rowKey={(row) => row.key}
                      initialSort={{ id: 'revenue', descending: true }}
                    />
                  </Card>
                </>
              )}
            </>
          )
        }}
      </Loaded>
      <TryLink />
      <Overrides />
    </Page>
  )
}

/** What would bring the credit to an ad, where something would. */
const cures: Record<string, string> = {
  unknown: 'No visit of the payer is known: connect the CRM, or pass the visitor’s id into checkout',
  direct: 'Typed in, bookmarked, or a link whose tags were lost',
  paid_other: 'Paid links without a known platform',
}

function toChannelRow({ channel, sources: _, ...figures }: Channel): Row {
  return {
    ...figures,
    key: channel,
    name: channel === 'unknown' ? 'No visit known' : sentence(channel),
    sub: cures[channel] ?? null,
  }
}

const kinds: Record<Source['kind'], string> = {
  ads: 'Ads',
  clicks_without_ad: 'Paid clicks that named no ad: add the tracking template',
  visits: 'Visits',
}

function toSourceRows({ channel, sources }: Channel): Row[] {
  return sources.map(({ source, kind, ...figures }) => ({
    ...figures,
    key: `${channel} ${kind} ${source}`,
    name:
      source === null
        ? `${sentence(channel)}, source unknown`
        : kind === 'visits'
          ? source
          : providerName(source),
    sub: kind === 'visits' ? sentence(channel) : kinds[kind],
  }))
}

function columnsFor(
  name: string,
  amount: (value: number | null) => string,
  total: number | null,
): Column<Row>[] {
  return [
    {
      id: 'name',
      label: name,
      value: (row) => row.name,
      cell: (row) => (
        <>
          {row.name}
          {row.sub ? <span className="sub">{row.sub}</span> : null}
        </>
      ),
    },
    {
      id: 'revenue',
      label: 'Revenue',
      number: true,
      value: (row) => row.outcome_value,
      cell: (row) => amount(row.outcome_value),
    },
    {
      id: 'share',
      label: 'Share',
      title: 'Of all revenue of these days',
      number: true,
      cell: (row) => percent(total ? ((row.outcome_value ?? 0) / total) * 100 : null),
    },
    {
      id: 'payments',
      label: 'Payments',
      number: true,
      value: (row) => row.outcome_count,
      cell: (row) => count(row.outcome_count),
    },
    {
      id: 'conversions',
      label: 'Conversions',
      title: 'Payments, leads, appointments and all other goals',
      number: true,
      value: (row) => row.attributed_outcome_count,
      cell: (row) => count(row.attributed_outcome_count),
    },
    {
      id: 'spend',
      label: 'Spend',
      number: true,
      value: (row) => row.spend,
      cell: (row) => (row.spend === 0 ? '' : amount(row.spend)),
    },
    {
      id: 'roas',
      label: 'ROAS',
      number: true,
      value: (row) => row.roas,
      cell: (row) => (row.spend === 0 ? '' : ratio(row.roas)),
    },
  ]
}
