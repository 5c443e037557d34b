import { Link } from '@tanstack/react-router'
import type { DataOf, getCampaign } from '@whence/sdk'
import { useProfileContext } from '../../api/profile.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Thumbnail } from '../creatives/thumbnail.tsx'
import { formatName } from '../creatives/words.ts'

type Entity = DataOf<typeof getCampaign>
type Creative = Entity['creatives'][number]

/** The creative of an ad, or those of the campaign's or ad set's ads with the highest spend. */
export function EntityCreatives({ entity }: { entity: Entity }) {
  const { creatives } = entity
  const [first] = creatives
  if (first === undefined) return null
  if (entity.entity_level === 'ad')
    return (
      <Card title="Creative">
        <div className="creative-own">
          <Picture creative={first} />
          <div className="creative-words">
            <Badges creative={first} />
            {first.title ? <h3>{first.title}</h3> : null}
            {first.body ? <p>{first.body}</p> : null}
          </div>
        </div>
      </Card>
    )
  return (
    <Card title="Creatives" note={creatives.length > 1 ? 'Highest spend first.' : undefined}>
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
  const { profile } = useProfileContext()
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
