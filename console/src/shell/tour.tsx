import { Link, useMatches } from '@tanstack/react-router'
import { listCampaignConversions, listCampaigns } from '@whence/sdk'
import { type ReactNode, useState } from 'react'
import { readStored, remember } from '../api/browser-storage.ts'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { useReport } from '../report/use-report.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

const pages = ['/p/$profileId/overview', '/p/$profileId/campaigns', '/p/$profileId/why/$conversionId']
const texts = [
  'This business is made up. See what its ads cost and what they earned.',
  'Every sale is credited to the ads that brought the customer. Click a name to see its sales.',
  'One sale with all visits before it, and the share each model gives to each visit.',
]

/** Tour of the demo in three steps, each on its own page; the last one links to setting up a profile. */
export function Tour() {
  const page = useMatches({ select: (matches) => matches.at(-1)!.fullPath })
  const [isClosed, setClosed] = useState(() => readStored('tour') === 'closed')
  const step = pages.indexOf(page)
  if (isClosed || step === -1) return null
  const close = () => {
    remember('tour', 'closed')
    setClosed(true)
  }
  const next: ReactNode[] = [
    <CampaignsLink key="1" />,
    <SaleLink key="2" />,
    <OwnProfileLink key="3" onClose={close} />,
  ]
  return (
    <section className="tour" aria-label="Tour">
      <span className="badge">Step {step + 1} of 3</span>
      <span className="grow">{texts[step]}</span>
      {next[step]}
      <Button kind="quiet" icon small aria-label="Close the tour" onClick={close}>
        <Icon name="close" size={16} />
      </Button>
    </section>
  )
}

const primary = buttonClass({ kind: 'primary', small: true })

function CampaignsLink() {
  const { profile } = useProfileContext()
  return (
    <Link to="/p/$profileId/campaigns" params={{ profileId: profile.id }} className={primary}>
      Next: which ads earned it
    </Link>
  )
}

/** The newest sale of the best campaign. */
function SaleLink() {
  const { profile } = useProfileContext()
  const { query } = useReport()
  const best = useProfileRead(listCampaigns, { query: { ...query, limit: 1 } }).data?.data[0]
  const sales = useProfileRead(
    listCampaignConversions,
    { params: { id: best?.campaign_id ?? '' }, query: { ...query, limit: 100 } },
    { enabled: best !== undefined },
  ).data?.data
  const sale = sales?.find(({ revenue_type }) => revenue_type === 'cash') ?? sales?.[0]
  if (!sale) return null
  return (
    <Link
      to="/p/$profileId/why/$conversionId"
      params={{ profileId: profile.id, conversionId: sale.conversion_id }}
      className={primary}
    >
      Next: why one sale is credited to an ad
    </Link>
  )
}

function OwnProfileLink({ onClose }: { onClose: () => void }) {
  const { profiles } = useProfileContext()
  const ownProfile = profiles.find((candidate) => !candidate.is_demo && candidate.archived_at === null)
  return ownProfile ? (
    <Link
      to="/p/$profileId/setup"
      params={{ profileId: ownProfile.id }}
      className={primary}
      onClick={onClose}
    >
      Set up your own
    </Link>
  ) : (
    <Link to="/welcome" className={primary} onClick={onClose}>
      Set up your own
    </Link>
  )
}
