import { Link } from '@tanstack/react-router'
import type {
  DataOf,
  listCreativeArchetypes,
  listCreativeDimensions,
  listCreativePatterns,
} from '@whence/sdk'
import { money, NONE, percent } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { col } from '../../ui/columns.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Interval } from '../../ui/interval.tsx'

type Dimension = DataOf<typeof listCreativeDimensions>[number]
type Pair = DataOf<typeof listCreativePatterns>[number]
type Archetype = DataOf<typeof listCreativeArchetypes>[number]
type LiftRow = Omit<Dimension, 'dimension' | 'value'>

const tones = { winning: 'good', losing: 'bad', unclear: 'plain' } as const
const verdictTexts = { winning: 'Winning', losing: 'Losing', unclear: 'Unclear' } as const
/** Shares come from 0 to 1. */
const share = (value: number) => percent(value * 100, 0)
export const times = (value: number) => `${value.toFixed(2)}×`

export const traitText = ({ dimension, value }: { dimension: string; value: string }) =>
  value === 'yes' ? sentence(dimension) : `${sentence(dimension)}: ${value.replaceAll('_', ' ')}`

/** The lift comes first, because a phone shows one column next to the name. */
function liftColumns<Row extends LiftRow>(): Column<Row>[] {
  return [
    {
      id: 'lift',
      label: 'Compared with others',
      title:
        'Performance of ads with this trait relative to other ads of their campaign, with the 95% interval',
      number: true,
      value: (row) => row.lift,
      cell: (row) => (
        <>
          {times(row.lift)}
          <span className="sub">
            {times(row.lift_low)} to {times(row.lift_high)}
          </span>
          <Interval low={row.lift_low} high={row.lift_high} middle={row.lift} />
        </>
      ),
    },
    {
      id: 'verdict',
      label: 'Verdict',
      value: (row) => row.verdict,
      cell: (row) => <Badge tone={tones[row.verdict]}>{verdictTexts[row.verdict]}</Badge>,
    },
    {
      id: 'q',
      label: 'Chance of luck',
      title: 'Share of false findings among all that look at least this good; up to 10% is shown',
      number: true,
      value: (row) => row.q_value,
      cell: (row) => share(row.q_value),
    },
    col.count('ads', 'Ads', (row) => row.ads),
    {
      id: 'spend',
      label: 'Spend',
      number: true,
      value: (row) => row.spend,
      cell: (row) => (row.currency === null ? NONE : money(row.spend, row.currency)),
    },
    {
      id: 'confounded',
      label: 'Often combined with',
      title: 'Traits that occur with it so often that either could be the cause',
      cell: (row) => (row.confounded_with.length === 0 ? NONE : row.confounded_with.map(sentence).join(', ')),
    },
  ]
}

/** Links to a row's ads; plain text if they belong to several profiles. */
function AdsLink({
  adIds,
  name,
  profileId,
}: {
  adIds: readonly string[]
  name: string
  profileId: string | null
}) {
  if (profileId === null) return name
  return (
    <Link
      to="/p/$profileId/campaigns"
      params={{ profileId }}
      search={{ level: 'ad', only: adIds.join(','), sort: 'spend' }}
    >
      {name}
    </Link>
  )
}

export const dimensionColumns = (profileId: string | null): Column<Dimension>[] => [
  {
    id: 'trait',
    label: 'Trait',
    value: traitText,
    cell: (row) => <AdsLink adIds={row.ad_ids} name={traitText(row)} profileId={profileId} />,
  },
  ...liftColumns<Dimension>(),
]

const pairText = (row: Pair) => row.traits.map(traitText).join(' + ')
export const pairColumns = (profileId: string | null): Column<Pair>[] => [
  {
    id: 'trait',
    label: 'Traits',
    value: pairText,
    cell: (row) => <AdsLink adIds={row.ad_ids} name={pairText(row)} profileId={profileId} />,
  },
  ...liftColumns<Pair>(),
  {
    id: 'agreeing',
    label: 'Profiles agreeing',
    number: true,
    value: (row) => row.profiles_agreeing,
    cell: (row) => `${row.profiles_agreeing} of ${row.profiles}`,
  },
]

export const archetypeColumns = (profileId: string | null): Column<Archetype>[] => [
  {
    id: 'archetype',
    label: 'Kind',
    value: (row) => row.archetype,
    cell: (row) => (
      <>
        <AdsLink adIds={row.ad_ids} name={sentence(row.archetype)} profileId={profileId} />
        <span className="sub">{row.definition}</span>
      </>
    ),
  },
  col.count('ads', 'Ads', (row) => row.ads),
  {
    id: 'win_rate',
    label: 'Winners',
    title: 'With few ads, the interval is wide',
    number: true,
    value: (row) => row.win_rate,
    cell: (row) => (
      <>
        {share(row.win_rate)}
        <span className="sub">
          {share(row.win_rate_low)} to {share(row.win_rate_high)}
        </span>
        <span className="cell-bar" aria-hidden="true">
          <span style={{ width: share(row.win_rate) }} />
        </span>
      </>
    ),
  },
]
