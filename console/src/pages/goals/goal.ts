import type { listGoals } from '@whence/server/features/facts/conversions/contract.ts'
import type { ReplyOf } from '@whence/server/platform/contract/endpoint.ts'

export type Goal = ReplyOf<typeof listGoals>[number]
