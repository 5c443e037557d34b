import { Link } from '@tanstack/react-router'
import { useProfileContext } from '../../api/profile.ts'
import type { Level } from '../../names/levels.ts'
import type { CampaignSearch } from '../../search.ts'
import { Icon } from '../../ui/icon.tsx'

export type Parent = { entity_level: Level; campaign_id: string; name: string | null }

/** Breadcrumbs: the list, then the parents of the open entity. */
export function Crumbs({ search, parents }: { search: CampaignSearch; parents: readonly Parent[] }) {
  const { profile } = useProfileContext()
  const cleared = { campaign: undefined, ad_set: undefined, ad: undefined } satisfies Partial<CampaignSearch>
  const idOf = (level: Level) => parents.find((parent) => parent.entity_level === level)?.campaign_id
  const steps = [
    { key: 'list', label: 'Campaigns', open: cleared as Partial<CampaignSearch> },
    ...parents.map((parent) => ({
      key: parent.campaign_id,
      label: parent.name ?? 'Unnamed',
      open: {
        ...cleared,
        campaign: idOf('campaign') ?? search.campaign,
        ...(parent.entity_level === 'campaign' ? {} : { ad_set: idOf('ad_set') }),
        ...(parent.entity_level === 'ad' ? { ad: parent.campaign_id } : {}),
      },
    })),
  ]
  return (
    <nav className="crumbs" aria-label="Path">
      {steps.map(({ key, label, open }, index) => (
        <span key={key} className="crumb">
          {index === 0 ? null : <Icon name="right" size={12} />}
          <Link
            to="/p/$profileId/campaigns"
            params={{ profileId: profile.id }}
            search={(before) => ({ ...before, ...open, source: undefined })}
          >
            {label}
          </Link>
        </span>
      ))}
    </nav>
  )
}
