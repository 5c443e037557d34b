import { listCreativeArchetypes, listCreativeDimensions, listCreativePatterns } from '@whence/sdk'
import { useState } from 'react'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { count, plural } from '../../format/numbers.ts'
import { ReportHealth } from '../../health/report-health.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Stat } from '../../ui/stat.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { archetypeColumns, dimensionColumns, pairColumns, times, traitText } from './columns.tsx'

type AdsOf = 'profile' | 'workspace'
type TraitLift = { dimension: string; value: string; lift: number; verdict: string }

const clearRows = <Row extends { verdict: string }>(rows: readonly Row[]) =>
  rows.filter(({ verdict }) => verdict !== 'unclear')

/** Traits associated with better ads. The page states that these are associations, because platforms choose who sees which ad. */
export function Patterns() {
  const { profile, workspace } = useProfileContext()
  const [adsOf, setAdsOf] = useState<AdsOf>('profile')
  const input = {
    params: { workspaceId: workspace.id },
    query: adsOf === 'profile' ? { profile_ids: profile.id } : {},
  }
  const dimensions = useRead(listCreativeDimensions, input, { keep: true })
  const pairs = useRead(listCreativePatterns, input, { keep: true })
  // Links need one profile, because an ad opens in its profile's report.
  const linkTo = adsOf === 'profile' ? profile.id : null
  const archetypes = useRead(listCreativeArchetypes, input, { keep: true })
  return (
    <Page
      title="Patterns"
      note="What successful ads have in common. An association, not a cause: platforms choose who sees which ad."
      actions={
        <Segmented
          label="Ads of"
          value={adsOf}
          options={[
            { value: 'profile', label: 'This profile' },
            { value: 'workspace', label: 'All profiles' },
          ]}
          onChange={setAdsOf}
        />
      }
    >
      <ReportHealth />
      {dimensions.data ? <Findings rows={dimensions.data.data} /> : null}
      <TableCard
        title="Single traits"
        note="Compared with other ads of the same campaign. Of ten traits shown as winning or losing, at most one is due to chance. Open a trait to see its ads."
        query={dimensions}
        rows={({ data }) => data}
        columns={dimensionColumns(linkTo)}
        rowKey={(row) => `${row.dimension} ${row.value}`}
        empty={() => (
          <Empty icon="patterns" title="Too few scored ads yet">
            A trait is shown once 8 ads in 3 campaigns have it and other ads there do not.
          </Empty>
        )}
      />
      <TableCard
        title="Pairs of traits"
        note="Only clear results are shown, from the 40 most common pairs, which are chosen before results are known."
        query={pairs}
        rows={({ data }) => clearRows(data)}
        columns={pairColumns(linkTo)}
        rowKey={(row) => row.traits.map(({ dimension, value }) => `${dimension} ${value}`).join(' and ')}
        empty={({ data }) => (
          <Empty icon="patterns" title="No clear pair of traits">
            {plural(data.length, 'pair')} checked.
          </Empty>
        )}
      />
      <TableCard
        title="Kinds of ads"
        note="How often ads of a kind beat the average of their peer group, counting only those with 90% certainty."
        query={archetypes}
        rows={({ data }) => data}
        columns={archetypeColumns(linkTo)}
        rowKey={(row) => row.archetype}
        empty={() => <Empty icon="patterns" title="No scored ads yet" />}
      />
    </Page>
  )
}

/** The best winning and the worst losing trait. */
function Findings({ rows }: { rows: readonly TraitLift[] }) {
  const ranked = clearRows(rows).toSorted((a, b) => b.lift - a.lift)
  const winning = ranked.filter(({ verdict }) => verdict === 'winning')
  const losing = ranked.filter(({ verdict }) => verdict === 'losing')
  const best = winning[0]
  const worst = losing.at(-1)
  return (
    <dl className="grid-stats">
      <Stat
        label="Use more"
        value={best ? traitText(best) : 'No clear result yet'}
        detail={
          best ? `${times(best.lift)} as good as other ads of the campaign` : 'No trait is clearly ahead'
        }
      />
      <Stat
        label="Use less"
        value={worst ? traitText(worst) : 'No clear result yet'}
        detail={
          worst ? `${times(worst.lift)} as good as other ads of the campaign` : 'No trait is clearly behind'
        }
      />
      <Stat
        label="Clear findings"
        value={count(ranked.length)}
        detail={`${count(winning.length)} winning, ${count(losing.length)} losing, of ${plural(rows.length, 'trait')}`}
      />
    </dl>
  )
}
