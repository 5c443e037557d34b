import { useQueryClient } from '@tanstack/react-query'
import { getReplayStatus } from '@whence/sdk'
import { useEffect, useRef, useState } from 'react'
import { useProfileRead } from '../api/profile.ts'
import { refetch } from '../api/refetch.ts'
import { count } from '../format/numbers.ts'
import { agoText } from '../format/times.ts'

const POLL_MS = 1500

/** Progress of the latest recompute; when it ends, all reports are refetched. */
export function RecomputeLine() {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const latest = useProfileRead(getReplayStatus, {}, { every: isBusy ? POLL_MS : false }).data?.data
  const isRunning = latest?.state === 'queued' || latest?.state === 'running'
  if (isRunning !== isBusy) setBusy(isRunning)
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refetch(client)
    wasRunning.current = isRunning
  }, [client, isRunning])
  if (!latest) return null
  if (latest.state === 'queued') return <p role="status">Attribution is waiting to be recomputed.</p>
  if (latest.state === 'running')
    return (
      <p role="status">
        Attribution is being recomputed
        {latest.conversions === null ? '' : `: ${count(latest.conversions)} conversions so far`}.
      </p>
    )
  if (latest.state === 'failed')
    return <p role="status">The last recompute failed {agoText(latest.finished_at)}. Start it again.</p>
  return (
    <p className="small muted" role="status">
      Recomputed {agoText(latest.finished_at)}
      {latest.conversions === null ? '' : ` over ${count(latest.conversions)} conversions`}.
    </p>
  )
}
