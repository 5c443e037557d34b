/** Every guard that `npm run mutate` removes. Change an entry together with the code that it quotes. */
import { accessGuards } from './access-guards.ts'
import { briefGuards } from './brief-guards.ts'
import { browserGuards } from './browser-guards.ts'
import { consentGuards } from './consent-guards.ts'
import { dataExportGuards } from './data-export-guards.ts'
import type { Guard } from './guard.ts'
import { hostileGuards } from './hostile-guards.ts'
import { insightsGuards } from './insights-guards.ts'
import { limitGuards } from './limit-guards.ts'
import { makerGuards } from './maker-guards.ts'
import { mcpGuards } from './mcp-guards.ts'
import { messagingGuards } from './messaging-guards.ts'
import { moneyGuards } from './money-guards.ts'
import { operatorGuards } from './operator-guards.ts'
import { outsideGuards } from './outside-guards.ts'
import { pastGuards } from './past-guards.ts'
import { privacyGuards } from './privacy-guards.ts'
import { reportGuards } from './report-guards.ts'
import { scoreGuards } from './score-guards.ts'
import { signInGuards } from './sign-in-guards.ts'
import { steeringGuards } from './steering-guards.ts'
import { tenancyGuards } from './tenancy-guards.ts'

export const guards: readonly Guard[] = [
  ...accessGuards,
  ...signInGuards,
  ...limitGuards,
  ...operatorGuards,
  ...tenancyGuards,
  ...mcpGuards,
  ...browserGuards,
  ...outsideGuards,
  ...hostileGuards,
  ...moneyGuards,
  ...consentGuards,
  ...privacyGuards,
  ...makerGuards,
  ...insightsGuards,
  ...pastGuards,
  ...scoreGuards,
  ...steeringGuards,
  ...briefGuards,
  ...dataExportGuards,
  ...reportGuards,
  ...messagingGuards,
]
