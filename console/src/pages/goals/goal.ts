import type { DataOf, listGoals } from '@whence/sdk'

export type Goal = DataOf<typeof listGoals>[number]
