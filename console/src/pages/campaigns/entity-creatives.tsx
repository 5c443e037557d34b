import { Link } from '@tanstack/react-router'
import type { DataOf, getCampaign } from '@whence/sdk'
import { usePlace } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Thumbnail } from '../creatives/thumbnail.tsx'
import { formatName } from '../creatives/words.ts'

type Entity = DataOf<typeof getCampaign>
type Creative = Entity['creatives'][number]

/** What people see: the ad with its words, or the ads of a campaign or ad set that spent most. */
export function EntityCreatives({ entity }: { entity: Entity }) {
  const { creatives } = entity
  const [own] = creatives
  if (own === undefined) return null
  if (entity.entity_level === 'ad')
    return (
      <Card title="Creative">
        <div className="creative-own">
          <Picture creative={own} />
          <div className="creative-words">
            <Badges creative={own} />
            {own.title ? <h3>{own.title}</h3> : null}
            {own.body ? <p>{own.body}</p> : null}
          </div>
        </div>
      </Card>
    )
  return (
    <Card title="Creatives" note={creatives.length > 1 ? 'The ads that spent most come first.' : undefined}>
      <ul className="creative-strip">
        {creatives.map((creative) => (
          <li key={creative.campaign_id}>
            <Picture creative={creative} />
            <AdLink creative={creative} />
            <Badges creative={creative} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Picture({ creative: { thumbnail_url, format, name, title } }: { creative: Creative }) {
  const ad = { ad_name: title ?? name, creative_thumbnail_url: thumbnail_url, creative_format: format }
  return <Thumbnail ad={ad} />
}

function Badges({ creative: { format, cta_type } }: { creative: Creative }) {
  return (
    <div className="toolbar">
      {format ? <Badge>{formatName(format)}</Badge> : null}
      {cta_type ? <Badge>{sentence(cta_type.toLowerCase())}</Badge> : null}
    </div>
  )
}

function AdLink({ creative }: { creative: Creative }) {
  const { profile } = usePlace()
  return (
    <Link
      to="/p/$profileId/campaigns"
      params={{ profileId: profile.id }}
      search={(before) => ({ ...before, campaign: undefined, ad_set: undefined, ad: creative.campaign_id })}
      className="name-link"
    >
      {creative.name ?? creative.title ?? 'Ad without a name'}
    </Link>
  )
}
