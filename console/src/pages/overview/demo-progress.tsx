import { useQueryClient } from '@tanstack/react-query'
import { getOverview, getTrackingOps, listCampaigns, listConnections } from '@whence/sdk'
import { useEffect, useRef, useState } from 'react'
import { useProfileRead } from '../../api/profile.ts'
import { refetch } from '../../api/refetch.ts'
import { plural } from '../../format/numbers.ts'
import { Notice } from '../../ui/notice.tsx'

const LOOK_MS = 1000

/** While the demo's sources are being read: how far it is, and the figures again with every step. */
export function DemoProgress() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(true)
  const every = busy ? LOOK_MS : false
  const sources = useProfileRead(listConnections, {}, { every }).data?.data
  const waiting = useProfileRead(getTrackingOps, {}, { every }).data?.data.waiting
  // A chatbot or a store that only sends has nothing to read.
  const coming = sources?.filter(
    ({ sync }) => sync.last_success_at === null && (sync.state === 'queued' || sync.state === 'running'),
  )
  const read = sources === undefined ? 0 : sources.length - coming!.length
  const isKnown = sources !== undefined && waiting !== undefined
  const isBusy = !isKnown || sources.length === 0 || read < sources.length || waiting > 0
  if (busy !== isBusy) setBusy(isBusy)

  const progress = isKnown ? `${read} read, ${waiting} waiting` : null
  const shown = useRef(progress)
  useEffect(() => {
    // The figures were requested together with the first progress; a later one makes them stale.
    if (shown.current !== null && shown.current !== progress)
      void refetch(client, [getOverview, listCampaigns])
    shown.current = progress
  }, [client, progress])

  if (!isKnown || !isBusy) return null
  return (
    <Notice>
      <strong>The demo is being prepared.</strong>{' '}
      {sources.length === 0
        ? 'Its visits are being read; the platforms come next.'
        : `${read} of ${plural(sources.length, 'source')} read. The figures below fill in by themselves.`}
    </Notice>
  )
}
