import { Link } from '@tanstack/react-router'
import { useProfileContext } from '../../api/profile.ts'
import type { Level } from '../../names/levels.ts'
import { sentence } from '../../names/providers.ts'
import { openedBy } from './levels.ts'

export type EntityRow = {
  campaign_id: string
  platform_id: string
  campaign_name: string | null
  platform?: string | null | undefined
  parent_name?: string | null | undefined
  status?: string | null | undefined
}

/** A row's name, linked to its page, with platform, parent and status unless active. */
export function EntityLink({ row, level }: { row: EntityRow; level: Level }) {
  const { profile } = useProfileContext()
  const isPaused = row.status && row.status !== 'ACTIVE' && row.status !== 'ENABLED'
  const facts = [
    isPaused ? sentence(row.status!.toLowerCase()) : null,
    row.platform,
    level === 'campaign' ? null : row.parent_name,
  ].filter(Boolean)
  return (
    <>
      <Link
        to="/p/$profileId/campaigns"
        params={{ profileId: profile.id }}
        search={(before) => ({
          ...before,
          ...openedBy(level, row.campaign_id),
          level: undefined,
          q: undefined,
          where: undefined,
          sort: undefined,
          up: undefined,
        })}
        className="name-link"
        title={row.campaign_name ?? row.platform_id}
      >
        {row.campaign_name ?? row.platform_id}
      </Link>
      {facts.length > 0 ? <span className="sub">{facts.join(' · ')}</span> : null}
    </>
  )
}
