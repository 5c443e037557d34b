import { join } from 'node:path'
import type { Service } from '../../../../context.ts'
import { openText } from '../../../../platform/secrets/seal.ts'
import type { DestinationRow } from '../queries.ts'
import { folderTarget } from './folder.ts'
import { s3Target } from './s3.ts'
import type { S3Keys } from './s3-signature.ts'
import { type Target, TargetError } from './target.ts'

export const secretCell = (profileId: string, id: string) => ({
  table: 'data_export_destinations',
  row: id,
  column: 'secret',
  profileId,
})

export function openTarget(service: Service, destination: DestinationRow): Target {
  const { target, profile_id: profileId, id } = destination
  if ('folder' in target) {
    const { DATA_EXPORT_DIR } = service.config
    if (DATA_EXPORT_DIR === undefined)
      throw new TargetError('This deployment has no folder for data exports (DATA_EXPORT_DIR).', false)
    return folderTarget(join(DATA_EXPORT_DIR, profileId, target.folder))
  }
  const keys = JSON.parse(openText(service.keyring, secretCell(profileId, id), destination.secret!)) as S3Keys
  return s3Target(service.publicHttp, target, keys, () => new Date())
}
