/**
 * The order of test files. Vitest starts large files first until it knows their durations; on a fresh clone the
 * slowest files, which are small, would run at the end, when all but one core are idle.
 */
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Parts of paths, slowest first (measured on 2026-11-17). All others keep Vitest's order. */
const slowest = [
  'server/test/mixed-load.long',
  'server/test/corruptions.long',
  'server/test/invariants/changes.long',
  'server/test/fuzz.long',
  'delivery/crash.long',
  'server/test/start.test',
  'connections/sync.test',
  'console/test/flows.long',
  'connect/attacks.test',
  'server/test/simulation/',
  'advice/doctor/doctor.test',
  'insights/changes/changes.test',
  'server/test/invariants/',
  'server/test/every-route.test',
  'console/test/reports.long',
  'backup/backup.test',
  'console/test/every-page.test',
  'demo/demo.long',
  'server/test/app-routes.test',
  'server/test/kill.long',
  'server/test/exports-kill.long',
  'server/test/previous-release.long',
  'server/test/every-connector.test',
  'server/test/oracle/',
  'connections/connections.test',
  'webhooks/webhooks.test',
  'tiktok-ads/tiktok-ads.test',
  'microsoft-ads/microsoft-ads.test',
  'tracker/test/collecting.test',
  'console/test/',
  'conversations/conversations.test',
  'erasures/erasures.test',
  'db/embedded.test',
]

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root
    const rank = (file: TestSpecification) => {
      const path = relative(root, file.moduleId).replaceAll('\\', '/')
      const index = slowest.findIndex((part) => path.includes(part))
      return index === -1 ? slowest.length : index
    }
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}
