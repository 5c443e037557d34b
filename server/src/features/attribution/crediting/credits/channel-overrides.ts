/** A profile's own rules on which channel a source belongs to: pure. */
import { paidChannelOf } from '../../../../platform/contract/paid-channels.ts'
import { readSource, type SourcedTouch, sourceOf, withoutTag } from './source-name.ts'

export type ChannelOverride = { kind: 'host' | 'source'; value: string; channel: string }

/** The rule for a visit's source (`sourceOf`). A click id decides before any rule. */
export function findOverride<Override extends ChannelOverride>(
  source: string,
  overrides: readonly Override[],
): Override | undefined {
  const name = matchedName(source)
  if (name === null) return undefined
  return overrides.find(({ kind, value }) =>
    kind === 'source'
      ? name === value
      : name === value || (value.includes('.') && name.endsWith(`.${value}`)),
  )
}

function matchedName(source: string): string | null {
  const { name, tag } = readSource(source)
  return tag === undefined ? name : tag || null
}

/** The source as the profile counts it, and as rollups name it. */
export function overrideSource(source: string | null, overrides: readonly ChannelOverride[]): string | null {
  if (source === null) return null
  const found = findOverride(source, overrides)
  return found === undefined ? withoutTag(source) : `${found.channel} ${matchedName(source)}`
}

/** The channel that a touch's credit is counted by; `entityPlatform` is that of the ad it names, null where it names none. */
export function countedChannel(
  touch: SourcedTouch,
  entityPlatform: string | null,
  overrides: readonly ChannelOverride[],
): string {
  if (entityPlatform !== null) return paidChannelOf(entityPlatform)
  const source = overrideSource(sourceOf(touch), overrides)
  return source === null ? touch.channel : readSource(source).channel
}

type Words = Pick<SourcedTouch, 'utm_source' | 'referrer_host'>

/**
 * What an erasure keeps of where a visit came from: the host or source that one of the profile's own rules names, so
 * that its credit stays in the rule's channel. It is a setting of the profile and says nothing about the visitor.
 */
export function sourceKeptForOverride(
  touch: SourcedTouch,
  overrides: readonly ChannelOverride[],
): Partial<Words> {
  const source = sourceOf(touch)
  const found = source === null ? undefined : findOverride(source, overrides)
  if (found === undefined) return {}
  return touch.utm_source === null ? { referrer_host: found.value } : { utm_source: found.value }
}
