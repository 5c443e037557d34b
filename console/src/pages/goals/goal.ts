import type { ReplyOf } from '@whence/server/contract/endpoint.ts'
import type { listGoals } from '@whence/server/features/conversions/contract.ts'

export type Goal = ReplyOf<typeof listGoals>[number]
