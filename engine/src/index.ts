export { affectedNodes, type IdentityState } from './affected.ts'
export { BulkAttribution } from './bulk.ts'
export { Chunk } from './chunk.ts'
export { Credits } from './credits.ts'
export type { Transition } from './data-driven/followers.ts'
export {
  CREDIT_UNITS,
  creditIntervals,
  creditSales,
  PERSON_GROUPS,
  type Sale,
  type VisitCell,
} from './data-driven/model.ts'
export { MAX_CHANNELS } from './data-driven/value.ts'
export { decideServing, type Verdict, type WithheldReason, withheldReasons } from './data-driven/verdict.ts'
export { joinShares, MEASURE_COUNT } from './day-rollup.ts'
export { type TouchEvidence, withoutEchoes } from './echoes.ts'
export { FIRST_PAYMENT_GROUP_MS, firstPayments, type Payment } from './first-payment.ts'
export {
  defaultIdentitySettings,
  type Identifier,
  type IdentifierKind,
  type IdentityGraph,
  type IdentitySettings,
  identifierKinds,
  type Link,
  linkRoot,
  linksOfEvent,
  type Merge,
  type Node,
  resolve,
  resolveNode,
  toGraph,
  toIdentifier,
  toNode,
} from './identity.ts'
export {
  type Attribution,
  attribute,
  type Conversion,
  type Credit,
  type ExcludedReason,
  type Explained,
  explain,
  type IneligibleReason,
  type Touch,
} from './journey.ts'
export { creditPerEntity, type EntityCredit, type TouchEntities } from './levels.ts'
export {
  type AttributionSettings,
  DAY_MS,
  defaultSettings,
  type Level,
  levels,
  MODEL_COUNT,
  type Model,
  models,
  NO_ENTITY,
} from './models.ts'
export { type RollupRow, Rollups } from './rollups.ts'
export { splitInto, splitMinor } from './split.ts'
