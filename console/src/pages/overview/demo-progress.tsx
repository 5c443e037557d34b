import { useQueryClient } from '@tanstack/react-query'
import { listConnections } from '@whence/server/features/connections/contract.ts'
import { getOverview, listCampaigns } from '@whence/server/features/reports/contract.ts'
import { getTrackingOps } from '@whence/server/features/tracking/contract.ts'
import { useEffect, useRef, useState } from 'react'
import { askAgain } from '../../api/ask-again.ts'
import { useProfileRead } from '../../api/profile.ts'
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

  const standing = isKnown ? `${read} read, ${waiting} waiting` : null
  const shown = useRef(standing)
  useEffect(() => {
    // The figures were asked for together with the first standing; a later one makes them old.
    if (shown.current !== null && shown.current !== standing)
      void askAgain(client, [getOverview, listCampaigns])
    shown.current = standing
  }, [client, standing])

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
