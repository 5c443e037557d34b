import type { Tx } from '../../../platform/db/database.ts'
import { type ChannelOverride, overrideSource } from './credits/channel-overrides.ts'
import { classifyPath, resolvePaths } from './credits/paths.ts'
import { loadSources } from './touch-sources.ts'

/** The channel of each touch source in reports; null if unknown. Read-only. */
export async function channelsOfSources(
  tx: Tx,
  { profileId, channelOverrides }: { profileId: string; channelOverrides: readonly ChannelOverride[] },
  sourceIds: readonly string[],
): Promise<Map<string, string | null>> {
  const sources = [...(await loadSources(tx, profileId, sourceIds, true))].map(([id, source]) => ({
    ...source,
    id,
    source: overrideSource(source.source, channelOverrides),
  }))
  const paths = await resolvePaths(tx, profileId, sources)
  return new Map(
    sources.map((touch) => {
      const { entityPlatform, ...path } = paths.get(touch)!
      return [touch.id, classifyPath({ ...path, source: touch.source }, () => entityPlatform!).channel]
    }),
  )
}
