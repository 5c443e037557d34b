import { Link } from '@tanstack/react-router'
import { listCreativeDimensions } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { times, traitText } from '../patterns/columns.tsx'

const MAX_TRAITS = 4

/** The clearest patterns: what better or worse ads have in common. */
export function TraitStrip({ isWide }: { isWide: boolean }) {
  const { profile, workspace } = useProfileContext()
  const dimensions = useRead(listCreativeDimensions, {
    params: { workspaceId: workspace.id },
    query: isWide ? {} : { profile_ids: profile.id },
  })
  return (
    <Card
      title="What better ads have in common"
      note="Compared with other ads of the same campaign. An association, not a cause."
      actions={
        <Link
          to="/p/$profileId/patterns"
          params={{ profileId: profile.id }}
          className={buttonClass({ small: true })}
        >
          All patterns
        </Link>
      }
    >
      <Loaded query={dimensions} skeleton={<Skeleton width={320} height={24} />}>
        {({ data }) => {
          const patterns = data
            .filter(({ verdict }) => verdict !== 'unclear')
            .toSorted((a, b) => Math.abs(Math.log(b.lift)) - Math.abs(Math.log(a.lift)))
          return patterns.length === 0 ? (
            <p className="muted">No pattern is clearer than chance yet.</p>
          ) : (
            <ul className="traits">
              {patterns.slice(0, MAX_TRAITS).map((row) => (
                <li key={`${row.dimension} ${row.value}`}>
                  <Badge tone={row.verdict === 'winning' ? 'good' : 'bad'}>{times(row.lift)}</Badge>
                  {traitText(row)}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
