import { Link } from '@tanstack/react-router'
import { usePlace } from '../../api/profile.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

/** What an empty profile needs before a report can say anything. */
export function GettingStarted() {
  const { profile } = usePlace()
  const params = { profileId: profile.id }
  return (
    <Card title={`Set up ${profile.name}`} note="Reports fill in as soon as data arrives." flush>
      <ol className="list">
        <li>
          <span className="grow">
            <strong>Connect an ad account</strong>
            <span className="sub">Brings campaigns and what they cost.</span>
          </span>
          <Link to="/p/$profileId/connections" params={params} className={buttonClass({ kind: 'primary' })}>
            Connect
          </Link>
        </li>
        <li>
          <span className="grow">
            <strong>Put the tracker on your site</strong>
            <span className="sub">Records which visit came from which ad.</span>
          </span>
          <Link to="/p/$profileId/tracking" params={params} className={buttonClass()}>
            Get the snippet
          </Link>
        </li>
        <li>
          <span className="grow">
            <strong>Report what was earned</strong>
            <span className="sub">Connect a payment provider, or send payments with an API key.</span>
          </span>
          <Link to="/p/$profileId/developers" params={params} className={buttonClass()}>
            Get a key
          </Link>
        </li>
      </ol>
    </Card>
  )
}
