import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { basePath } from '../base-path.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

export function PageMissing() {
  return (
    <main className="gate">
      <Empty
        icon="info"
        title="There is no such page"
        actions={
          <Link to="/" className={buttonClass({ kind: 'primary' })}>
            Go to the overview
          </Link>
        }
      >
        The address may be mistyped, or the page has moved.
      </Empty>
    </main>
  )
}

/** The page could not be shown; the menu around it stays. */
export function PageFailure({ error }: { error: unknown }) {
  const [stillAway, setStillAway] = useState(false)
  const retry = () => {
    setStillAway(false)
    // A reload while the service is away would leave the browser's own error page and no way back.
    fetch(`${basePath}/healthz`).then(
      () => location.reload(),
      () => setStillAway(true),
    )
  }
  return (
    <div className="page">
      <Card>
        <Failure error={error} retry={retry} />
        {stillAway ? <p role="status">Still no answer from the service.</p> : null}
      </Card>
    </div>
  )
}

/** While the code of a page is on its way. */
export function PagePending() {
  return (
    <div className="page">
      <Card>
        <SkeletonRows />
      </Card>
    </div>
  )
}

export function WholeFailure({ error }: { error: unknown }) {
  return (
    <main className="gate">
      <PageFailure error={error} />
    </main>
  )
}
