import { NONE } from '../../format/numbers.ts'
import { sentence } from '../../names/providers.ts'
import { Badge } from '../../ui/badge.tsx'

export function StatusBadge({ status }: { status: string | null | undefined }) {
  if (!status) return NONE
  const isLive = status === 'ACTIVE' || status === 'ENABLED'
  return <Badge tone={isLive ? 'good' : 'plain'}>{sentence(status.toLowerCase())}</Badge>
}
