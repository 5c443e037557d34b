import type { Job } from '../../contract/job.ts'
import { recomputeProfile } from './recompute-job.ts'

export const attributionJobs: readonly Job[] = [recomputeProfile]
