import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'

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

export function PageFailure({ error }: { error: unknown }) {
  return (
    <main className="gate">
      <Failure error={error} retry={() => location.reload()} />
    </main>
  )
}
