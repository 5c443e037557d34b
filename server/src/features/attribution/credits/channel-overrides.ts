/** A profile's own word on which channel a source belongs to: pure. */
import { readSource, type SourcedTouch, sourceOf } from './source-name.ts'

export type ChannelOverride = { kind: 'host' | 'source'; value: string; channel: string }

/** Of a visit's source (`sourceOf`). What a click id or a paid medium says stands above it. */
export function findOverride<Override extends ChannelOverride>(
  source: string,
  overrides: readonly Override[],
): Override | undefined {
  const { channel, name } = readSource(source)
  if (name === null || channel.startsWith('paid_') || channel === 'display') return undefined
  return overrides.find(({ kind, value }) =>
    kind === 'source'
      ? name === value
      : name === value || (value.includes('.') && name.endsWith(`.${value}`)),
  )
}

/** The source as the profile counts it. */
export function overrideSource(source: string | null, overrides: readonly ChannelOverride[]): string | null {
  const found = source === null ? undefined : findOverride(source, overrides)
  return found === undefined ? source : `${found.channel} ${readSource(source!).name}`
}

/** The channel that a visit's credit is counted by; what names an ad keeps its own. */
export function countedChannel(touch: SourcedTouch, overrides: readonly ChannelOverride[]): string {
  const source = overrideSource(sourceOf(touch), overrides)
  return source === null ? touch.channel : readSource(source).channel
}
