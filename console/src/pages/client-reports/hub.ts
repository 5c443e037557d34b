import type { getReportsHub } from '@whence/server/features/account/client-reports/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'

export type Hub = ReplyOf<typeof getReportsHub>
export type Report = Hub['reports'][number]
export type Schedule = Hub['schedules'][number]
export type HubQuery = {
  data: { data: Hub } | undefined
  isError: boolean
  error: unknown
  refetch: () => Promise<unknown>
}
