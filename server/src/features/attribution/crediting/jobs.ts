import type { Job } from '../../../platform/contract/job.ts'
import { recomputeOfPreviousRelease, recomputeProfile } from './recompute-job.ts'

export const attributionJobs: readonly Job[] = [recomputeProfile, recomputeOfPreviousRelease]
