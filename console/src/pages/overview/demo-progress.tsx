import { useQueryClient } from '@tanstack/react-query'
import { getOverview, getTrackingOps, listCampaigns, listConnections } from '@whence/sdk'
import { useEffect, useRef, useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { refetch } from '../../api/refetch.ts'
import { plural } from '../../format/numbers.ts'
import { Notice } from '../../ui/notice.tsx'

const POLL_MS = 1000

/** Progress while the demo's sources are loaded; the figures are refetched with every step. */
export function DemoProgress() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(true)
  const every = busy ? POLL_MS : false
  const sources = useProfileRead(listConnections, {}, { every }).data?.data
  const waiting = useProfileRead(getTrackingOps, {}, { every }).data?.data.waiting
  // A chatbot or a store that only sends webhooks has no sync.
  const pending = sources?.filter(
    ({ sync }) => sync.last_success_at === null && (sync.state === 'queued' || sync.state === 'running'),
  )
  const loaded = sources === undefined ? 0 : sources.length - pending!.length
  const isLoaded = sources !== undefined && waiting !== undefined
  const isBusy = !isLoaded || sources.length === 0 || loaded < sources.length || waiting > 0
  if (busy !== isBusy) setBusy(isBusy)

  const progress = isLoaded ? `${loaded} loaded, ${waiting} waiting` : null
  const lastProgress = useRef(progress)
  useEffect(() => {
    // The figures were requested together with the first progress; a later one makes them stale.
    if (lastProgress.current !== null && lastProgress.current !== progress)
      void refetch(client, [getOverview, listCampaigns])
    lastProgress.current = progress
  }, [client, progress])

  if (!isLoaded || !isBusy) return null
  return (
    <Notice>
      <strong>The demo is being prepared.</strong>{' '}
      {sources.length === 0
        ? 'Visits are being loaded; the platforms are next.'
        : `${loaded} of ${plural(sources.length, 'source')} loaded. The figures below update automatically.`}
    </Notice>
  )
}
