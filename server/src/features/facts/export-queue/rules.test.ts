import { describe, expect, it } from 'vitest'
import {
  decideAdjustment,
  exportDecision,
  type LedgerState,
  neutralName,
  type Policy,
  withheldParts,
} from './rules.ts'

const policy = (fields: Partial<Policy> = {}): Policy => ({
  privacyMode: 'standard',
  isHealthcare: false,
  conversions: null,
  healthcareAllowlist: [],
  hasAgreement: false,
  cleanDatasetId: null,
  ...fields,
})
const goal = { id: 'goal-1', conversionKey: 'paid' }
const eventMap = [{ conversion_key: 'paid', event_name: 'Purchase' }]
const decide = (fields: Partial<Policy>, kind: 'social' | 'engine' = 'social') =>
  exportDecision(policy(fields), { kind, eventMap, isOwnerDecision: false }, goal)

describe('an export', () => {
  it('requires a mapped and enabled conversion', () => {
    expect(decide({})).toEqual({ leaves: true, eventName: 'Purchase' })
    expect(
      exportDecision(policy(), { kind: 'social', eventMap: [], isOwnerDecision: false }, goal),
    ).toMatchObject({
      silent: true,
      reason: 'conversion_unmapped',
    })
    expect(decide({ conversions: [] })).toMatchObject({ silent: true, reason: 'conversion_disabled' })
  })

  it('in platform_safe goes to the clean dataset only, under a neutral name', () => {
    expect(decide({ privacyMode: 'platform_safe' })).toMatchObject({ reason: 'clean_dataset_required' })
    const clean = { privacyMode: 'platform_safe', cleanDatasetId: '9' } as const
    expect(decide(clean)).toEqual({ leaves: true, eventName: neutralName('goal-1') })
    expect(neutralName('goal-1')).not.toMatch(/paid|purchase/i)
    expect(decide(clean, 'engine')).toMatchObject({ leaves: false, reason: 'clean_dataset_required' })
    expect(withheldParts(policy(clean), 'paid')).toContain('event_name')
  })

  it('in hipaa requires the allow-list and a signed agreement', () => {
    expect(decide({ privacyMode: 'hipaa', healthcareAllowlist: ['paid'] })).toMatchObject({
      reason: 'hipaa_baa_unsigned',
    })
    expect(decide({ privacyMode: 'hipaa', hasAgreement: true })).toMatchObject({
      reason: 'not_on_healthcare_allowlist',
    })
    expect(decide({ isHealthcare: true })).toMatchObject({ reason: 'owner_decision_required' })
    const signed = { privacyMode: 'hipaa', hasAgreement: true, healthcareAllowlist: ['paid'] } as const
    expect(decide(signed)).toEqual({ leaves: true, eventName: 'Purchase' })
  })
})

describe('a change of a conversion', () => {
  const row = (fields: Partial<LedgerState> = {}): LedgerState => ({
    adjustmentNo: 0,
    adjustment: 'none',
    status: 'sent',
    attempts: 1,
    valueMinor: 1000,
    currency: 'EUR',
    ...fields,
  })
  const now = (valueMinor: number, isPersonChanged = false) =>
    ({ state: 'counts', valueMinor, currency: 'EUR', isPersonChanged }) as const
  const all = { restate: true, retract: true }
  const none = { restate: false, retract: false }

  it('before it is sent needs no adjustment: the current state is sent', () => {
    expect(decideAdjustment([row({ status: 'queued', attempts: 0 })], now(1), all)).toBeNull()
    expect(decideAdjustment([row({ status: 'queued', attempts: 0 })], { state: 'gone' }, all)).toBeNull()
    expect(decideAdjustment([row({ status: 'skipped' })], now(1), all)).toBeNull()
  })

  it('of its value restates it, once for each new value', () => {
    expect(decideAdjustment([row()], now(1000), all)).toBeNull()
    expect(decideAdjustment([row()], now(400), all)).toEqual({ adjustmentNo: 1, adjustment: 'restate' })
    const restated = row({ adjustmentNo: 1, adjustment: 'restate', valueMinor: 400 })
    expect(decideAdjustment([row(), restated], now(400), all)).toBeNull()
    expect(decideAdjustment([row(), restated], now(1000), all)).toEqual({
      adjustmentNo: 2,
      adjustment: 'restate',
    })
    const queuedRow = row({ adjustmentNo: 1, adjustment: 'restate', status: 'queued', attempts: 0 })
    expect(decideAdjustment([row(), queuedRow], now(5), all)).toBeNull()
  })

  it('while a request is in flight is sent after it', () => {
    expect(decideAdjustment([row({ status: 'queued', attempts: 1 })], now(1000), all)).toEqual({
      adjustmentNo: 1,
      adjustment: 'restate',
    })
  })

  it('that the platform does not support is recorded once', () => {
    expect(decideAdjustment([row()], now(400), none)).toEqual({ adjustmentNo: 1, adjustment: 'unsupported' })
    const noted = row({ adjustmentNo: 1, adjustment: 'unsupported', status: 'skipped', valueMinor: 400 })
    expect(decideAdjustment([row(), noted], now(400), none)).toBeNull()
    expect(decideAdjustment([row(), noted], now(300), none)).toMatchObject({ adjustmentNo: 2 })
    const retraction = row({ adjustmentNo: 1, adjustment: 'unsupported', status: 'skipped', valueMinor: 0 })
    expect(decideAdjustment([row(), retraction], { state: 'gone' }, none)).toBeNull()
  })

  it('of its person, and its removal, are sent too', () => {
    expect(decideAdjustment([row()], now(1000, true), all)).toMatchObject({ adjustment: 'restate' })
    expect(decideAdjustment([row()], { state: 'gone' }, all)).toMatchObject({ adjustment: 'retract' })
  })
})
