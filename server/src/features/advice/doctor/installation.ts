/** What the doctor checks of the installation instead of the profile's data. */
import { type ApiVersionName, apiVersions } from '../../../connectors/versions.ts'
import type { Service } from '../../../context.ts'
import { isLive, listProcesses } from '../../../platform/jobs/live-processes.ts'

export type Installation = {
  /** Clocks of the running processes; null for a process of an earlier release. */
  clocks: readonly { host: string; clock_ahead_seconds: number | null }[]
  /** Versions of the platforms' APIs that this service calls; the sandbox imitates the others. */
  versions: Partial<typeof apiVersions>
}

export async function readInstallation({
  db,
  config,
}: Pick<Service, 'db' | 'config'>): Promise<Installation> {
  const names = Object.keys(apiVersions) as ApiVersionName[]
  return {
    clocks: (await listProcesses(db)).filter(isLive),
    versions: Object.fromEntries(
      names.filter((name) => name in config.providers).map((name) => [name, apiVersions[name]]),
    ),
  }
}
