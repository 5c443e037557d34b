import { Link } from '@tanstack/react-router'
import { usePlace } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { type Level, openedBy } from './levels.ts'

export type EntityRow = {
  campaign_id: string
  platform_id: string
  campaign_name: string | null
  status?: string | null | undefined
  objective?: string | null | undefined
}

/** A row's name, which opens it. */
export function EntityLink({ row, level }: { row: EntityRow; level: Level }) {
  const { profile } = usePlace()
  const facts = [row.status && row.status !== 'ACTIVE' ? row.status : null, row.objective]
    .filter((fact) => fact != null)
    .map((fact) => sentence(fact!.toLowerCase()))
  return (
    <>
      <Link
        to="/p/$profileId/campaigns"
        params={{ profileId: profile.id }}
        search={(before) => ({
          ...before,
          ...openedBy(level, row.campaign_id),
          sort: undefined,
          up: undefined,
        })}
      >
        {row.campaign_name ?? row.platform_id}
      </Link>
      {facts.length > 0 ? <span className="sub">{facts.join(' · ')}</span> : null}
    </>
  )
}
