import { Link } from '@tanstack/react-router'
import type { ReadinessStep } from '@whence/sdk'
import { messageOf } from '../../api/call.ts'
import { useProfileContext } from '../../api/profile.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useDemo } from '../home/use-demo.ts'
import { Checklist } from '../setup/checklist.tsx'

/** Set-up steps that an empty profile needs before reports have data. */
export function GettingStarted({ steps }: { steps: readonly ReadinessStep[] }) {
  const { profile } = useProfileContext()
  return (
    <Card
      title={`Set up ${profile.name}`}
      note="Reports fill in as soon as data arrives."
      foot={<DemoLine />}
      flush
    >
      <Checklist steps={steps} />
    </Card>
  )
}

function DemoLine() {
  const { profiles, workspace } = useProfileContext()
  const demo = useDemo(workspace.id)
  const existing = profiles.find((profile) => profile.is_demo && profile.archived_at === null)
  return (
    <div className="more">
      <p>Or try a demo first: 120 days of ads, leads and payments of a sample business.</p>
      {demo.error ? <Notice tone="bad">{messageOf(demo.error)}</Notice> : null}
      {existing ? (
        <Link
          to="/p/$profileId/overview"
          params={{ profileId: existing.id }}
          className={buttonClass({ small: true })}
        >
          Open the demo
        </Link>
      ) : (
        <Button small busy={demo.isPending} onClick={demo.open}>
          Create the demo
        </Button>
      )}
    </div>
  )
}
