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

type Reach = 'profile' | 'workspace'
type Lifted = { dimension: string; value: string; lift: number; verdict: string }

const announced = <Row extends { verdict: string }>(rows: readonly Row[]) =>
  rows.filter(({ verdict }) => verdict !== 'unclear')

/** Which traits go along with better ads. Associations, said as such: platforms steer who sees what. */
export function Patterns() {
  const { profile, workspace } = useProfileContext()
  const [reach, setReach] = useState<Reach>('profile')
  const input = {
    params: { workspaceId: workspace.id },
    query: reach === 'profile' ? { profile_ids: profile.id } : {},
  }
  const dimensions = useRead(listCreativeDimensions, input, { keep: true })
  const pairs = useRead(listCreativePatterns, input, { keep: true })
  // An ad opens in the report of its own profile.
  const linkTo = reach === 'profile' ? profile.id : null
  const archetypes = useRead(listCreativeArchetypes, input, { keep: true })
  return (
    <Page
      title="Patterns"
      note="What ads that do well have in common. An association, not a cause: platforms choose who sees which ad."
      actions={
        <Segmented
          label="Ads of"
          value={reach}
          options={[
            { value: 'profile', label: 'This profile' },
            { value: 'workspace', label: 'All profiles' },
          ]}
          onChange={setReach}
        />
      }
    >
      <ReportHealth />
      {dimensions.data ? <Findings rows={dimensions.data.data} /> : null}
      <TableCard
        title="Single traits"
        note="Against other ads of the same campaign. Of ten traits shown as winning or losing, at most one is chance. Open a trait to see its ads."
        query={dimensions}
        rows={({ data }) => data}
        columns={dimensionColumns(linkTo)}
        rowKey={(row) => `${row.dimension} ${row.value}`}
        empty={() => (
          <Empty icon="patterns" title="Too few scored ads yet">
            A trait is shown once 8 ads in 3 campaigns carry it and others there do not.
          </Empty>
        )}
      />
      <TableCard
        title="Pairs of traits"
        note="The 40 most common pairs, chosen before looking at results; those that stand out are shown."
        query={pairs}
        rows={({ data }) => announced(data)}
        columns={pairColumns(linkTo)}
        rowKey={(row) => row.traits.map(({ dimension, value }) => `${dimension} ${value}`).join(' and ')}
        empty={({ data }) => (
          <Empty icon="patterns" title="No clear pair of traits">
            {plural(data.length, 'pair')} looked at.
          </Empty>
        )}
      />
      <TableCard
        title="Kinds of ads"
        note="How often ads of a kind beat the middle of their peer group, counting only those that we are 90% sure of."
        query={archetypes}
        rows={({ data }) => data}
        columns={archetypeColumns(linkTo)}
        rowKey={(row) => row.archetype}
        empty={() => <Empty icon="patterns" title="No scored ads yet" />}
      />
    </Page>
  )
}

/** What to do more of and less of: the strongest trait of each side. */
function Findings({ rows }: { rows: readonly Lifted[] }) {
  const ranked = announced(rows).toSorted((a, b) => b.lift - a.lift)
  const winning = ranked.filter(({ verdict }) => verdict === 'winning')
  const losing = ranked.filter(({ verdict }) => verdict === 'losing')
  const best = winning[0]
  const worst = losing.at(-1)
  return (
    <dl className="grid-stats">
      <Stat
        label="Use more"
        value={best ? traitText(best) : 'Nothing clear yet'}
        detail={
          best ? `${times(best.lift)} as good as other ads of the campaign` : 'No trait is clearly ahead'
        }
      />
      <Stat
        label="Use less"
        value={worst ? traitText(worst) : 'Nothing clear yet'}
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
