import type { ProfileRef, Service } from '../../../context.ts'
import type * as queries from './queries.ts'
import type { Target } from './targets/target.ts'

export type Writing = {
  service: Service
  profile: ProfileRef
  destination: queries.DestinationRow
  run: queries.RunRow
  attemptId: string
  target: Target
  signal: AbortSignal
}
export type Written = {
  files: queries.FileRow[]
  includesIdentifiers: boolean
  replaced: queries.FileRow[]
  tables: queries.WrittenTable[]
  changeNumber: number | null
  state: string
  erasuresSeen: number
}
