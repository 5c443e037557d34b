/** What enqueueing needs to know of the jobs; `jobs.ts` has how they run. */
import { deliverRef as briefRef } from '../briefs/job-names.ts'

export const deliverRef = { ...briefRef, name: 'alerts.deliver' }
