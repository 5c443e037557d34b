import { Link, useSearch } from '@tanstack/react-router'
import { type DataOf, getJourneys } from '@whence/sdk'
import { useMemo } from 'react'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { FlowChart } from '../../charts/flow-chart.tsx'
import { count, money, percent, plural } from '../../format/numbers.ts'
import { rangeText } from '../../format/times.ts'
import { Change } from '../../report/change.tsx'
import { ReportControls } from '../../report/controls.tsx'
import { Caveats } from '../../report/freshness.tsx'
import { useReport } from '../../report/use-report.ts'
import { Card } from '../../ui/card.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { PathPayments } from './path-payments.tsx'
import { pathName, stepName } from './steps.ts'

type Path = DataOf<typeof getJourneys>[number]
type Total = Omit<Path, 'steps'> & { paths: number; several_channels: number }

/** Limits that keep the diagram readable; the table has all paths. */
const MAX_DRAWN = 12
const MAX_STEPS = 4
const MAX_STEPS_ON_PHONE = 2
const END = 'sale'

const perPayment = ({ outcome_value, payments }: Path) => (payments === 0 ? null : outcome_value / payments)
const keyOf = ({ steps }: Path): string => steps.join()

/** The most common channel paths to a payment, and the customers who took them. */
export function Journeys() {
  const { range, query, queryBefore, compare } = useReport()
  const daysOf = ({ date_from, date_to }: typeof query) => ({ date_from, date_to, limit: 50 })
  const journeys = useProfileRead(getJourneys, { query: daysOf(query) }, { keep: true })
  const before = useProfileRead(
    getJourneys,
    { query: daysOf(queryBefore) },
    { enabled: compare && journeys.data !== undefined },
  ).data
  return (
    <Page
      title="Journeys"
      note={`${rangeText(range.from, range.to)}. The channels through which people came before they paid, in order.`}
      actions={<ReportControls withCompare withModel={false} />}
    >
      <Loaded query={journeys}>
        {(reply) => (
          <>
            <Caveats meta={reply.meta} />
            {(reply.meta as { truncated: boolean }).truncated ? (
              <Notice>There are too many payments in these days. The newest 20,000 are shown.</Notice>
            ) : null}
            {reply.data.length === 0 ? (
              <Card>
                <Empty icon="journeys" title="No payments in these days">
                  Choose other days, or connect a payment provider or a store.
                </Empty>
              </Card>
            ) : (
              <Paths
                paths={reply.data}
                total={reply.total as Total}
                lookbackDays={reply.meta.lookback_days}
                before={compare && before ? before.data : undefined}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Paths({
  paths,
  total,
  lookbackDays,
  before,
}: {
  paths: readonly Path[]
  total: Total
  lookbackDays: number
  before: readonly Path[] | undefined
}) {
  const { profile } = useProfileContext()
  const search = useSearch({ from: '/p/$profileId/journeys' })
  const amount = (value: number | null) => money(value, profile.currency)
  const open = paths.find((path) => keyOf(path) === search.path) ?? paths[0]!
  const isPhone = usePhone()
  const flows = useMemo(() => {
    const maxSteps = isPhone ? MAX_STEPS_ON_PHONE : MAX_STEPS
    const paid = paths.filter(({ payments }) => payments > 0)
    return paid.slice(0, MAX_DRAWN).map((path) => ({
      key: keyOf(path),
      steps: path.steps.length > maxSteps ? ['earlier', ...path.steps.slice(1 - maxSteps)] : path.steps,
      weight: path.payments,
    }))
  }, [paths, isPhone])
  const drawnPayments = flows.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <>
      <dl className="grid-stats">
        <Stat label="Payments" value={count(total.payments)} detail={plural(total.customers, 'customer')} />
        <Stat
          label="Revenue"
          title="All cash less refunds, as in Overview"
          value={amount(total.outcome_value)}
        />
        <Stat label="Different paths" value={count(total.paths)} />
        <Stat
          label="Several channels"
          title="Payments whose path has more than one channel"
          value={percent(total.payments ? (total.several_channels / total.payments) * 100 : null)}
          detail="of payments"
        />
      </dl>
      {flows.length === 0 ? null : (
        <Card
          title="From channel to channel"
          note={`The ${flows.length === 1 ? 'path' : `${flows.length} most common paths`} of ${count(drawnPayments)} payments. The wider a band, the more payments it leads to.`}
        >
          <FlowChart
            flows={flows}
            end={END}
            label={`Paths to ${plural(drawnPayments, 'payment')}; the most common is ${pathName(paths[0]!.steps)}. The table below has all figures.`}
            nameOf={stepName}
            textOf={(weight) => plural(weight, 'payment')}
            selected={keyOf(open)}
            narrow={isPhone}
          />
        </Card>
      )}
      <Card
        title="Paths"
        note={`Every visit in the ${plural(lookbackDays, 'day')} before the payment, whichever of them is credited. Consecutive visits from one channel are one step. Open a path to see its customers.`}
        flush
      >
        <DataTable
          label="Paths to a payment"
          columns={columnsFor(profile, amount, total, before, open)}
          rows={paths}
          rowKey={keyOf}
          cards
          initialSort={{ id: 'payments', descending: true }}
        />
      </Card>
      {/* The key keeps rows of the previous path from showing under this name. */}
      <PathPayments key={open.steps.join()} path={open.steps} />
    </>
  )
}

function columnsFor(
  profile: { id: string },
  amount: (value: number | null) => string,
  total: Total,
  before: readonly Path[] | undefined,
  open: Path,
): Column<Path>[] {
  const earlier = new Map(before?.map((path) => [keyOf(path), path]))
  return [
    {
      id: 'path',
      label: 'Path',
      value: (path) => pathName(path.steps),
      cell: (path) => (
        <Link
          to="/p/$profileId/journeys"
          params={{ profileId: profile.id }}
          search={(before) => ({ ...before, path: keyOf(path) })}
          aria-current={path === open ? 'true' : undefined}
          resetScroll={false}
          replace
        >
          <span className="wrap">{pathName(path.steps)}</span>
        </Link>
      ),
    },
    {
      id: 'payments',
      label: 'Payments',
      number: true,
      value: (path) => path.payments,
      cell: (path) => (
        <>
          {count(path.payments)}
          <Change now={path.payments} before={earlier.get(keyOf(path))?.payments} />
        </>
      ),
    },
    {
      id: 'share',
      label: 'Share',
      number: true,
      cell: (path) => percent(total.payments ? (path.payments / total.payments) * 100 : null),
    },
    {
      id: 'customers',
      label: 'Customers',
      number: true,
      value: (path) => path.customers,
      cell: (path) => count(path.customers),
    },
    {
      id: 'revenue',
      label: 'Revenue',
      number: true,
      phone: 'lead',
      value: (path) => path.outcome_value,
      cell: (path) => {
        const was = earlier.get(keyOf(path))?.outcome_value
        return (
          <>
            {amount(path.outcome_value)}
            <Change
              now={path.outcome_value}
              before={was}
              beforeText={was === undefined ? undefined : amount(was)}
            />
          </>
        )
      },
    },
    {
      id: 'average',
      label: 'Per payment',
      number: true,
      phone: 'hidden',
      value: perPayment,
      cell: (path) => amount(perPayment(path)),
    },
  ]
}
