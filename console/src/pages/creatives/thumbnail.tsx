import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import type { Creative } from './use-board.ts'

/** A format without pictures. */
const TEXT_ONLY = 'responsive_search_ad'

/** Our own copy of the ad's picture, or a placeholder if there is none or the platform withholds it. */
export function Thumbnail({
  ad,
}: {
  ad: Pick<Creative, 'ad_name' | 'creative_thumbnail_url' | 'creative_format'>
}) {
  const [isBroken, setBroken] = useState(false)
  const url = ad.creative_thumbnail_url
  if (url === null && ad.creative_format === TEXT_ONLY)
    return (
      <span className="thumbnail text-ad" aria-hidden="true">
        <span className="small">Text ad</span>
        <span className="text-ad-title">{ad.ad_name}</span>
        <span className="text-ad-line" />
        <span className="text-ad-line short" />
      </span>
    )
  if (url === null || isBroken)
    return (
      <span className="thumbnail none">
        <Icon name="creatives" size={28} />
        <span className="small">No picture</span>
      </span>
    )
  return (
    <img
      className="thumbnail"
      src={new URL(url).pathname}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
    />
  )
}
