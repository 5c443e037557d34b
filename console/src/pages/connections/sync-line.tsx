import type { SyncState } from '@whence/sdk'
import { count } from '../../format/numbers.ts'
import { agoText, instantText } from '../../format/times.ts'

/** A sync's status, with progress while it runs. */
export function SyncLine({ sync }: { sync: SyncState }) {
  if (sync.state === 'running' || sync.state === 'queued') {
    const { progress } = sync
    const share = progress?.total ? Math.min(1, progress.done / progress.total) : null
    const text =
      sync.state === 'queued'
        ? 'Waiting to sync'
        : progress
          ? `Syncing: ${count(progress.done)}${progress.total ? ` of ${count(progress.total)}` : ''} ${progress.unit}`
          : 'Syncing'
    return (
      <span className="sync" role="status">
        <span className="sub">{text}</span>
        <span className={share === null ? 'progress indeterminate' : 'progress'} aria-hidden="true">
          <span style={share === null ? undefined : { width: `${share * 100}%` }} />
        </span>
      </span>
    )
  }
  return (
    <span
      className="sub"
      title={sync.complete_until ? `Complete until ${instantText(sync.complete_until)}` : undefined}
    >
      {sync.last_success_at ? `Synced ${agoText(sync.last_success_at)}` : 'Not synced yet'}
      {sync.state === 'failed' && sync.last_error ? ` · ${sync.last_error}` : ''}
    </span>
  )
}
