/** Job names and payloads for enqueueing; the handlers are in `jobs.ts`. */
import { deliverRef as briefRef } from '../briefs/job-names.ts'

export const deliverRef = { ...briefRef, name: 'alerts.deliver' }
