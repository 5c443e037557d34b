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
        title="Page not found"
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

/** Error of a page; the menu around it stays usable. */
export function PageFailure({ error }: { error: unknown }) {
  const [isUnreachable, setUnreachable] = useState(false)
  const retry = () => {
    setUnreachable(false)
    // A reload while the service is unreachable would end on the browser's error page.
    fetch(`${basePath}/healthz`).then(
      () => location.reload(),
      () => setUnreachable(true),
    )
  }
  return (
    <div className="page">
      <Card>
        <Failure error={error} retry={retry} />
        {isUnreachable ? <p role="status">The service still does not respond.</p> : null}
      </Card>
    </div>
  )
}

/** Shown while a page's code loads. */
export function PagePending() {
  return (
    <div className="page">
      <Card>
        <SkeletonRows />
      </Card>
    </div>
  )
}

export function AppFailure({ error }: { error: unknown }) {
  return (
    <main className="gate">
      <PageFailure error={error} />
    </main>
  )
}
