/** Applies a profile's channel overrides to sources. Pure. */
import { paidChannelOf } from '../../../../platform/contract/paid-channels.ts'
import { readSource, type SourcedTouch, sourceOf, withoutTag } from './source-name.ts'

export type ChannelOverride = { kind: 'host' | 'source'; value: string; channel: string }

/** The override that matches a visit's source (`sourceOf`). Clicks with a click id match none. */
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

/** The source after overrides, in the form that rollups store. */
export function overrideSource(source: string | null, overrides: readonly ChannelOverride[]): string | null {
  if (source === null) return null
  const override = findOverride(source, overrides)
  return override === undefined ? withoutTag(source) : `${override.channel} ${matchedName(source)}`
}

/** The channel that gets a touch's credit. `entityPlatform` is the platform of the touch's ad, null without an ad. */
export function countedChannel(
  touch: SourcedTouch,
  entityPlatform: string | null,
  overrides: readonly ChannelOverride[],
): string {
  if (entityPlatform !== null) return paidChannelOf(entityPlatform)
  const source = overrideSource(sourceOf(touch), overrides)
  return source === null ? touch.channel : readSource(source).channel
}

type SourceFields = Pick<SourcedTouch, 'utm_source' | 'referrer_host'>

/**
 * The part of a touch's source that an erasure keeps: the host or utm_source of the matching override, so that credit
 * stays in the override's channel. The value is a setting of the profile and reveals nothing about the visitor.
 */
export function sourceKeptForOverride(
  touch: SourcedTouch,
  overrides: readonly ChannelOverride[],
): Partial<SourceFields> {
  const source = sourceOf(touch)
  const override = source === null ? undefined : findOverride(source, overrides)
  if (override === undefined) return {}
  return touch.utm_source === null ? { referrer_host: override.value } : { utm_source: override.value }
}
