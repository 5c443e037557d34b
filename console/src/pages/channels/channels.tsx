import { Link } from '@tanstack/react-router'
import { type DataOf, getChannels, type UnattributedReason } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money, percent, ratio } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { channelName, providerName } from '../../names/providers.ts'
import { Change } from '../../report/change.tsx'
import { ReportControls } from '../../report/controls.tsx'
import { Delta } from '../../report/delta.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Stat } from '../../ui/stat.tsx'
import { Overrides } from './overrides.tsx'
import { TryLink } from './try-link.tsx'

type Channel = DataOf<typeof getChannels>[number]
type Source = Channel['sources'][number]
type Figures = Omit<Source, 'source' | 'kind'> & Pick<Channel, 'days'>
/** `opens`: target of the row's link: campaigns of a platform, or unattributed sales by reason. */
type Row = Figures & {
  key: string
  name: string
  sub: string | null
  opens: { platform: string } | { reason: UnattributedReason } | null
}

/** All revenue by origin: ads next to every other channel. */
export function Channels() {
  const { profile } = useProfileContext()
  const { query, queryBefore, compare, range, previous } = useReport()
  const channels = useProfileRead(getChannels, { query: { ...query, by_day: 'true' } }, { keep: true })
  const earlier = useProfileRead(
    getChannels,
    { query: queryBefore },
    { enabled: compare && channels.data !== undefined },
  ).data
  const before = compare ? earlier : undefined
  const totalBefore = before?.total as Figures | undefined
  const period = rangeText(previous.from, previous.to, false)
  const amount = (value: number | null) => money(value, profile.currency)
  return (
    <Page
      title="Channels"
      note={`${rangeText(range.from, range.to)}. All revenue by the channel it came from: ads, search, email, direct visits and the rest.`}
      actions={<ReportControls withCompare />}
    >
      <Loaded query={channels}>
        {(reply) => {
          const total = reply.total as Figures
          const columns = (name: string, rows: Row[] | undefined) =>
            columnsFor(name, amount, total, rows, name === 'Channel')
          return (
            <>
              <Caveats meta={reply.meta} />
              {reply.data.length === 0 ? (
                <Card>
                  <Empty icon="overview" title="No revenue in these days">
                    Choose other days, or connect a payment provider or a store.
                  </Empty>
                </Card>
              ) : (
                <>
                  <dl className="grid-stats">
                    <Stat
                      label="Revenue"
                      title="Refunds subtracted"
                      value={amount(total.outcome_value)}
                      detail={
                        totalBefore ? (
                          <Delta
                            now={total.outcome_value}
                            before={totalBefore.outcome_value}
                            period={period}
                          />
                        ) : (
                          'refunds subtracted'
                        )
                      }
                    />
                    <Stat
                      label="Payments"
                      value={count(total.outcome_count)}
                      detail={
                        totalBefore ? (
                          <Delta
                            now={total.outcome_count}
                            before={totalBefore.outcome_count}
                            period={period}
                          />
                        ) : null
                      }
                    />
                    <Stat
                      label="Ad spend"
                      value={amount(total.spend)}
                      detail={
                        totalBefore ? (
                          <Delta now={total.spend} before={totalBefore.spend} period={period} neutral />
                        ) : null
                      }
                    />
                  </dl>
                  <Card title="By channel" note="The shares add up to all revenue." flush>
                    <DataTable
                      label="Revenue by channel"
                      columns={columns('Channel', before?.data.map(toChannelRow))}
                      rows={reply.data.map(toChannelRow)}
                      rowKey={(row) => row.key}
                      initialSort={{ id: 'revenue', descending: true }}
                      cards
                    />
                  </Card>
                  <Card
                    title="By source"
                    note="The ad platform, newsletter or site that a visit came from. A payment shared by several sources counts for each."
                    flush
                  >
                    <DataTable
                      label="Revenue by source"
                      columns={columns('Source', before?.data.flatMap(toSourceRows))}
                      rows={reply.data.flatMap(toSourceRows)}
                      rowKey={(row) => row.key}
                      initialSort={{ id: 'revenue', descending: true }}
                      cards
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

/** Why a channel's revenue is not credited to an ad, and how to change that. */
const channelHints: Record<string, string> = {
  unknown: 'The buyer’s visits are not known. Connect the CRM, or pass the visitor’s id to the checkout',
  direct: 'Typed in, bookmarked, or a link that lost its tags',
  paid_other: 'Paid links without a known platform',
}

function toChannelRow({ channel, sources, ...figures }: Channel): Row {
  return {
    ...figures,
    key: channel,
    name: channelName(channel),
    sub: channelHints[channel] ?? null,
    opens: opensChannel(channel, sources),
  }
}

/** The reason under which the page of unattributed sales lists a channel. */
function reasonOf(channel: string): UnattributedReason {
  if (channel.startsWith('paid_') || channel === 'display') return 'click_without_ad'
  if (channel.startsWith('organic_')) return 'organic'
  return channel === 'direct' || channel === 'email' || channel === 'referral' ? channel : 'other_visit'
}

/** A paid channel with one platform opens its campaigns. With several platforms, the table of sources has the links. */
function opensChannel(channel: string, sources: readonly Source[]): Row['opens'] {
  if (channel === 'unknown') return { reason: 'no_touch' }
  const reason = reasonOf(channel)
  if (reason !== 'click_without_ad') return { reason }
  const platforms = sources.flatMap(({ kind, source }) => (kind === 'ads' && source !== null ? [source] : []))
  return platforms.length === 1 ? { platform: providerName(platforms[0]!) } : null
}

const kinds: Record<Source['kind'], string> = {
  ads: 'Ads',
  clicks_without_ad: 'Paid clicks without an ad id: add the tracking template',
  visits: 'Visits',
}

function toSourceRows({ channel, sources }: Channel): Row[] {
  return sources.map(({ source, kind, ...figures }) => ({
    ...figures,
    key: `${channel} ${kind} ${source}`,
    name:
      source === null
        ? `${channelName(channel)}, source unknown`
        : kind === 'visits'
          ? source
          : providerName(source),
    sub: kind === 'visits' ? channelName(channel) : kinds[kind],
    opens:
      kind === 'ads' && source !== null
        ? { platform: providerName(source) }
        : kind === 'ads'
          ? null
          : { reason: reasonOf(channel) },
  }))
}

function RowLink({ row: { name, opens } }: { row: Row }) {
  const { profile } = useProfileContext()
  const params = { profileId: profile.id }
  if (opens === null) return name
  return 'platform' in opens ? (
    <Link
      to="/p/$profileId/campaigns"
      params={params}
      search={(before) => ({ ...before, platform: opens.platform })}
    >
      {name}
    </Link>
  ) : (
    <Link
      to="/p/$profileId/unattributed"
      params={params}
      search={(before) => ({ ...before, reason: opens.reason })}
    >
      {name}
    </Link>
  )
}

function columnsFor(
  name: string,
  amount: (value: number | null) => string,
  total: Figures,
  /** The same rows in the previous period. */
  before: readonly Row[] | undefined,
  withDays: boolean,
): Column<Row>[] {
  const earlier = new Map(before?.map((row) => [row.key, row]))
  const figure = (
    id: string,
    label: string,
    select: (row: Row) => number | null,
    text: (value: number | null, row: Row) => string,
    options: Partial<Column<Row>> & { neutral?: boolean } = {},
  ): Column<Row> => {
    const { neutral = false, ...column } = options
    return {
      id,
      label,
      number: true,
      value: select,
      cell: (row) => {
        const was = earlier.get(row.key)
        return (
          <>
            {text(select(row), row)}
            {was ? (
              <Change
                now={select(row)}
                before={select(was)}
                beforeText={text(select(was), was)}
                neutral={neutral}
              />
            ) : null}
          </>
        )
      },
      ...column,
    }
  }
  return [
    {
      id: 'name',
      label: name,
      value: (row) => row.name,
      cell: (row) => (
        <>
          <RowLink row={row} />
          {row.sub ? <span className="sub">{row.sub}</span> : null}
        </>
      ),
    },
    figure('revenue', 'Revenue', (row) => row.outcome_value, amount, { phone: 'lead' }),
    ...(withDays
      ? [
          {
            id: 'days',
            label: 'Per day',
            title: 'Revenue of each day of the range',
            cell: (row: Row) => (row.days ? <Sparkline values={row.days.map(({ value }) => value)} /> : null),
          },
        ]
      : []),
    {
      id: 'share',
      label: 'Share',
      title: 'Share of all revenue in these days',
      number: true,
      cell: (row) =>
        percent(total.outcome_value ? ((row.outcome_value ?? 0) / total.outcome_value) * 100 : null),
    },
    figure(
      'payments',
      'Payments',
      (row) => row.outcome_count,
      (value) => count(value),
    ),
    figure(
      'conversions',
      'Conversions',
      (row) => row.attributed_outcome_count,
      (value) => count(value),
      {
        title: 'Payments, leads, appointments and all other goals',
      },
    ),
    figure(
      'spend',
      'Spend',
      (row) => row.spend,
      (value) => (value === 0 ? '' : amount(value)),
      {
        neutral: true,
      },
    ),
    figure(
      'roas',
      'ROAS',
      (row) => row.roas,
      (value, row) => (row.spend === 0 ? '' : ratio(value)),
    ),
  ]
}
