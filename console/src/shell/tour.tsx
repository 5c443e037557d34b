import { Link, useMatches } from '@tanstack/react-router'
import { listCampaignConversions, listCampaigns } from '@whence/sdk'
import { type ReactNode, useState } from 'react'
import { useProfileContext, useProfileRead } from '../api/profile.ts'
import { readStored, remember } from '../api/remembered.ts'
import { useReport } from '../report/use-report.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

const pages = ['/p/$profileId/overview', '/p/$profileId/campaigns', '/p/$profileId/why/$conversionId']
const texts = [
  'This business is made up. Here is what its ads cost, and what came back.',
  'Every sale is credited to the ads that brought the customer. A name opens the sales behind it.',
  'One sale: each visit before it, and how much of the money every model gives to each.',
]

/** Three steps through the demo, each on its own page; the last one leads to a business of one's own. */
export function Tour() {
  const page = useMatches({ select: (matches) => matches.at(-1)!.fullPath })
  const [isClosed, setClosed] = useState(() => readStored('tour') === 'closed')
  const step = pages.indexOf(page)
  if (isClosed || step === -1) return null
  const close = () => {
    remember('tour', 'closed')
    setClosed(true)
  }
  const next: ReactNode[] = [<ToCampaigns key="1" />, <ToSale key="2" />, <ToOwn key="3" onClose={close} />]
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

function ToCampaigns() {
  const { profile } = useProfileContext()
  return (
    <Link to="/p/$profileId/campaigns" params={{ profileId: profile.id }} className={primary}>
      Next: which ads earned it
    </Link>
  )
}

/** The newest sale of the best campaign. */
function ToSale() {
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
      Next: why one sale counts for an ad
    </Link>
  )
}

function ToOwn({ onClose }: { onClose: () => void }) {
  const { profiles } = useProfileContext()
  const own = profiles.find((one) => !one.is_demo && one.archived_at === null)
  return own ? (
    <Link to="/p/$profileId/setup" params={{ profileId: own.id }} className={primary} onClick={onClose}>
      Set up your own
    </Link>
  ) : (
    <Link to="/welcome" className={primary} onClick={onClose}>
      Set up your own
    </Link>
  )
}
