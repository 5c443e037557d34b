import { Link, useSearch } from '@tanstack/react-router'
import { type DataOf, listUnattributedReasons } from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { count, money, percent } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { modelNames } from '../../names/models.ts'
import { Change } from '../../report/change.tsx'
import { ReportControls } from '../../report/controls.tsx'
import { Delta } from '../../report/delta.tsx'
import { Caveats, type ReportMeta } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { col } from '../../ui/columns.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { ReasonSales } from './reason-sales.tsx'
import { reasons } from './reasons.ts'

type Row = DataOf<typeof listUnattributedReasons>[number]

/** Unattributed revenue by reason, with the sales of each and advice. */
export function Unattributed() {
  const { range, query, queryBefore, compare } = useReport()
  const unattributed = useProfileRead(listUnattributedReasons, { query }, { keep: true })
  const before = useProfileRead(
    listUnattributedReasons,
    { query: queryBefore },
    { enabled: compare && unattributed.data !== undefined },
  ).data
  return (
    <Page
      title="Unattributed"
      note={`${rangeText(range.from, range.to)}. Revenue that no campaign was credited with, by reason.`}
      actions={<ReportControls withCompare />}
    >
      <Loaded query={unattributed}>
        {(reply) => (
          <>
            <Caveats meta={reply.meta} />
            {reply.data.length === 0 ? (
              <Card>
                <Empty icon="check" title="Nothing unattributed in these days">
                  Every conversion was credited to a campaign, or there was none. Choose other days to see
                  more.
                </Empty>
              </Card>
            ) : (
              <Reasons
                rows={reply.data}
                meta={reply.meta}
                before={compare && before ? { rows: before.data, meta: before.meta } : undefined}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

type ReasonRows = { rows: readonly Row[]; meta: ReportMeta }

function Reasons({ rows, meta, before }: ReasonRows & { before: ReasonRows | undefined }) {
  const { profile } = useProfileContext()
  const { model, previous } = useReport()
  const search = useSearch({ from: '/p/$profileId/unattributed' })
  const amount = (value: number | null) => money(value, profile.currency)
  const { total, unattributed } = meta.reconciliation
  const period = rangeText(previous.from, previous.to, false)
  const earlier = new Map(before?.rows.map((row) => [row.reason, row]))
  const revenueOf = (row: Row) => row.outcome_value ?? 0
  const shareOf = ({ reconciliation }: ReportMeta) =>
    reconciliation.total ? (reconciliation.unattributed / reconciliation.total) * 100 : null
  const open =
    rows.find(({ reason }) => reason === search.reason) ??
    rows.toSorted(
      (a, b) => revenueOf(b) - revenueOf(a) || b.attributed_outcome_count - a.attributed_outcome_count,
    )[0]!
  const columns: Column<Row>[] = [
    {
      id: 'reason',
      label: 'Reason',
      value: (row) => reasons[row.reason].name,
      cell: (row) => (
        <>
          <Link
            to="/p/$profileId/unattributed"
            params={{ profileId: profile.id }}
            search={(before) => ({ ...before, reason: row.reason })}
            aria-current={row === open ? 'true' : undefined}
            resetScroll={false}
            replace
          >
            {reasons[row.reason].name}
          </Link>
          <span className="sub wrap">{reasons[row.reason].meaning}</span>
        </>
      ),
    },
    {
      id: 'revenue',
      label: 'Revenue',
      phone: 'lead',
      number: true,
      value: (row) => row.outcome_value,
      cell: (row) => {
        const was = earlier.get(row.reason)?.outcome_value
        return (
          <>
            {amount(row.outcome_value)}
            <Change
              now={row.outcome_value}
              before={was}
              beforeText={money(was, profile.currency)}
              lowerIsBetter
            />
          </>
        )
      },
    },
    {
      id: 'share',
      label: 'Share of revenue',
      number: true,
      value: revenueOf,
      cell: (row) => percent(total ? (revenueOf(row) / total) * 100 : null),
    },
    col.count('payments', 'Payments', (row) => row.outcome_credit),
    {
      id: 'conversions',
      label: 'Conversions',
      title: 'Payments, leads, appointments and all other goals',
      number: true,
      value: (row) => row.attributed_outcome_count,
      cell: (row) => count(row.attributed_outcome_count),
    },
    {
      id: 'advice',
      label: 'What to do',
      phone: 'wide',
      cell: (row) => {
        const { advice } = reasons[row.reason]
        return (
          <>
            <span className="wrap">{advice.text}</span>
            <Link
              to={advice.to}
              params={{ profileId: profile.id }}
              search={(before) => ({ ...before, tab: advice.tab })}
              className="small"
            >
              {advice.action}
            </Link>
          </>
        )
      },
    },
  ]
  return (
    <>
      <dl className="grid-stats">
        <Stat
          label="Unattributed revenue"
          title={modelNames[model].name}
          value={amount(unattributed)}
          detail={
            before ? (
              <Delta
                now={unattributed}
                before={before.meta.reconciliation.unattributed}
                period={period}
                lowerIsBetter
              />
            ) : (
              modelNames[model].name
            )
          }
        />
        <Stat
          label="Share of revenue"
          title={`${amount(total)} in total`}
          value={percent(shareOf(meta))}
          detail={
            before ? (
              <Delta now={shareOf(meta)} before={shareOf(before.meta)} period={period} lowerIsBetter />
            ) : (
              `${amount(total)} in total`
            )
          }
        />
        <Stat label="Payments" value={count(sum(rows, (row) => row.outcome_credit))} />
      </dl>
      <Card title="Reasons" note="The reasons add up to all unattributed revenue." flush>
        <DataTable
          label="Unattributed revenue by reason"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.reason}
          initialSort={{ id: 'revenue', descending: true }}
          linked
          cards
        />
      </Card>
      <ReasonSales key={open.reason} reason={open.reason} currency={profile.currency} />
    </>
  )
}

function sum(rows: readonly Row[], select: (row: Row) => number): number {
  return Math.round(rows.reduce((total, row) => total + select(row), 0) * 1e6) / 1e6
}
