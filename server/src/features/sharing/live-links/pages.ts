import type { PageRoute } from '../../../platform/http/page-route.ts'
import { openLiveLink } from './open.ts'

const path = '/share/live/{token}'

export const liveLinkPages: readonly PageRoute[] = [
  { method: 'GET', path, handle: openLiveLink },
  { method: 'POST', path, bodyLimit: 4096, handle: openLiveLink },
]
