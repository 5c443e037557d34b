import { Link } from '@tanstack/react-router'
import { messageOf } from '../../api/call.ts'
import { usePlace } from '../../api/profile.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDemo } from '../home/use-demo.ts'

/** What an empty profile needs before a report can say anything. */
export function GettingStarted() {
  const { profile, profiles, workspace } = usePlace()
  const demo = useDemo(workspace.id)
  const known = profiles.find((one) => one.is_demo && one.archived_at === null)
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
        <li>
          <span className="grow">
            <strong>Or look at a demo first</strong>
            <span className="sub">A made-up business with 120 days of ads, leads and payments.</span>
            {demo.error ? <Notice tone="bad">{messageOf(demo.error)}</Notice> : null}
          </span>
          {known ? (
            <Link to="/p/$profileId/overview" params={{ profileId: known.id }} className={buttonClass()}>
              Open the demo
            </Link>
          ) : (
            <Button busy={demo.isPending} onClick={demo.open}>
              Make the demo
            </Button>
          )}
        </li>
      </ol>
    </Card>
  )
}
