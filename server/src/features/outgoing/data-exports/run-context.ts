import type { ProfileRef, Service } from '../../../context.ts'
import type * as queries from './queries.ts'
import type { Target } from './targets/target.ts'

export type RunContext = {
  service: Service
  profile: ProfileRef
  destination: queries.DestinationRow
  run: queries.RunRow
  attemptId: string
  target: Target
  signal: AbortSignal
}
export type RunResult = {
  files: queries.FileRow[]
  includesIdentifiers: boolean
  replaced: queries.FileRow[]
  tables: queries.WrittenTable[]
  changeNumber: number | null
  /** Everything that the files depend on; if equal to the stored state, tables with a change number are skipped. */
  state: string
  erasuresSeen: number
}
