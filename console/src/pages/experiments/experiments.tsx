import { Link } from '@tanstack/react-router'
import { cancelGeoExperiment, type DataOf, listExperiments } from '@whence/sdk'
import { useProfileContext, useProfileWrite } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { count, NONE, percent } from '../../format/numbers.ts'
import { today } from '../../format/times.ts'
import { ReportHealth } from '../../health/report-health.tsx'
import { providerName, sentence } from '../../names/providers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Interval } from '../../ui/interval.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { GeoDesignCard } from './geo-design.tsx'
import { day, reasonText } from './reason-text.ts'

type Row = DataOf<typeof listExperiments>[number]
type Reading = NonNullable<Row['own_reading']>

const verdictTones: Record<string, Tone> = {
  positive: 'good',
  negative: 'bad',
  invalid: 'warn',
  inconclusive: 'plain',
}

/** Shares come from 0 to 1. */
const signed = (share: number) => `${share > 0 ? '+' : ''}${percent(share * 100, 1)}`

function ReadingText({ reading }: { reading: Reading | null }) {
  if (reading === null) return NONE
  return (
    <>
      {signed(reading.effect)}
      <span className="sub">
        {signed(reading.low)} to {signed(reading.high)}
      </span>
      <span className="sub">{sentence(reading.metric)}</span>
      <Interval low={1 + reading.low} high={1 + reading.high} middle={1 + reading.effect} />
    </>
  )
}

function checksText({ checks }: Row): string {
  const problems = [
    checks.sample_ratio_p !== null && checks.sample_ratio_p < 0.001 ? 'split broken' : '',
    checks.pre_period_ok === false ? 'groups differed before the study' : '',
    checks.divergent_delivery ? 'uneven split' : '',
    checks.placebo_ratio !== null && checks.placebo_ratio <= 1
      ? 'regions changed as much before the study'
      : '',
    checks.region_placebo_ratio !== null && checks.region_placebo_ratio <= 1
      ? 'other regions changed as much'
      : '',
  ].filter(Boolean)
  return problems.length === 0 ? 'No problems' : sentence(problems.join(', '))
}

const cellsText = ({ cells }: Row): string =>
  cells
    .map(({ name, percentage, regions }) =>
      regions.length > 0
        ? `${name}: ${regions.join(', ')}`
        : percentage === null
          ? name
          : `${name} ${percentage}%`,
    )
    .join(regionsIn(cells) ? '; ' : ', ')

const regionsIn = (cells: Row['cells']) => cells.some(({ regions }) => regions.length > 0)

function Cancel({ id }: { id: string }) {
  const write = useProfileWrite(cancelGeoExperiment, [listExperiments])
  return (
    <Button small busy={write.isPending} onClick={() => write.mutate({ params: { id } })}>
      Cancel study
    </Button>
  )
}

/** Links to the study's ad sets, or else its campaigns, in the days of the study. */
function StudyLink({ row }: { row: Row }) {
  const adSets = row.cells.flatMap(({ ad_sets }) => ad_sets)
  const ids = adSets.length > 0 ? adSets : row.cells.flatMap(({ campaigns }) => campaigns)
  if (ids.length === 0) return row.name
  return (
    <Link
      to="/p/$profileId/campaigns"
      params={{ profileId: row.profile_id }}
      search={{
        only: ids.join(','),
        ...(adSets.length > 0 ? { level: 'ad_set' as const } : {}),
        ...(row.starts_at && row.ends_at
          ? { from: row.starts_at.slice(0, 10), to: earlier(row.ends_at.slice(0, 10), today('UTC')) }
          : {}),
      }}
    >
      {row.name}
    </Link>
  )
}

const earlier = (one: string, other: string) => (one < other ? one : other)

const columns: Column<Row>[] = [
  {
    id: 'name',
    label: 'Experiment',
    value: (row) => row.name,
    cell: (row) => (
      <>
        <StudyLink row={row} />
        <span className="sub">
          {sentence(row.kind)} {row.design ? 'designed here' : `at ${providerName(row.provider)}`},{' '}
          {day(row.starts_at)} to {day(row.ends_at)}
        </span>
        <span className="sub wrapped">{cellsText(row)}</span>
      </>
    ),
  },
  {
    id: 'verdict',
    label: 'Verdict',
    phone: 'wide',
    value: (row) => row.verdict,
    cell: (row) => (
      <>
        <Badge
          tone={
            row.verdict === null
              ? row.status === 'running'
                ? 'accent'
                : 'plain'
              : verdictTones[row.verdict]!
          }
        >
          {sentence(row.verdict ?? row.status)}
        </Badge>
        <span className="sub wrapped">{reasonText(row)}</span>
        {row.design && row.verdict === null && row.status !== 'canceled' ? <Cancel id={row.id} /> : null}
      </>
    ),
  },
  {
    id: 'own',
    label: 'Whence',
    phone: 'half',
    title: 'From spend and credited conversions, with the 95% interval',
    number: true,
    value: (row) => row.own_reading?.effect ?? null,
    cell: (row) => <ReadingText reading={row.own_reading} />,
  },
  {
    id: 'platform',
    label: 'Platform',
    phone: 'half',
    title: 'As the platform reports it',
    number: true,
    value: (row) => row.platform_reading?.effect ?? null,
    cell: (row) => <ReadingText reading={row.platform_reading} />,
  },
  {
    id: 'checks',
    label: 'Checks',
    phone: 'wide',
    cell: (row) => <span className="wrapped">{checksText(row)}</span>,
  },
]

/** Studies of the platforms and geo studies designed here, evaluated by the same rules. */
export function Experiments() {
  const { profile, workspace } = useProfileContext()
  const experiments = useRead(listExperiments, {
    params: { workspaceId: workspace.id },
    query: { profile_ids: profile.id },
  })
  return (
    <Page
      title="Experiments"
      note="Studies that run at the ad platforms or were designed here, evaluated once a day. The verdict appears when a study has ended and its late conversions have arrived."
    >
      <ReportHealth />
      {experiments.data && experiments.data.data.length > 0 ? (
        <StatusCounts rows={experiments.data.data} />
      ) : null}
      <TableCard
        title="Studies"
        note="Only lift and geo studies prove what ads cause. A split test compares two ways of advertising. Open one to see its campaigns or ad sets."
        query={experiments}
        rows={({ data }) => data}
        columns={columns}
        rowKey={(row) => row.id}
        cards
        empty={() => (
          <Empty icon="experiments" title="No studies yet">
            Split tests, lift studies and experiments of connected ad accounts appear here once they are set
            up at the platform.
          </Empty>
        )}
      />
      <GeoDesignCard />
    </Page>
  )
}

/** Number of studies by status and verdict. */
function StatusCounts({ rows }: { rows: readonly Row[] }) {
  const countWhere = (matches: (row: Row) => boolean) => count(rows.filter(matches).length)
  return (
    <dl className="grid-stats">
      <Stat
        label="Running"
        value={countWhere(({ status }) => status === 'running')}
        detail="at the platforms now"
      />
      <Stat
        label="Observing"
        value={countWhere(({ status, verdict }) => verdict === null && status === 'observing')}
        detail="late conversions still arriving"
      />
      <Stat
        label="Positive"
        value={countWhere(({ verdict }) => verdict === 'positive')}
        detail="whole interval above zero"
      />
      <Stat
        label="No clear result"
        value={countWhere(({ verdict }) => verdict === 'inconclusive' || verdict === 'negative')}
        detail="negative or inconclusive"
      />
      <Stat
        label="Invalid"
        value={countWhere(({ verdict }) => verdict === 'invalid')}
        detail="a check failed"
      />
    </dl>
  )
}
