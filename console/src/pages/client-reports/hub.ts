import type { DataOf, getReportsHub } from '@whence/sdk'

export type Hub = DataOf<typeof getReportsHub>
export type Report = Hub['reports'][number]
export type Schedule = Hub['schedules'][number]
export type HubQuery = {
  data: { data: Hub } | undefined
  isError: boolean
  error: unknown
  refetch: () => Promise<unknown>
}
