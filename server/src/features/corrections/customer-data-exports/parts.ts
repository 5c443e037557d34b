/** The file is stored in encrypted parts, each readable in its own place only. */
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { open, type SealedCell, seal } from '../../../platform/secrets/seal.ts'
import { partId } from './rules.ts'

type Place = { profileId: string; exportId: string; part: number }

export const PART_BYTES = 256 * 1024

const toCell = ({ profileId, exportId, part }: Place): SealedCell => ({
  table: 'customer_data_export_parts',
  row: partId(exportId, part),
  column: 'sealed',
  profileId,
})

export const sealPart = (keyring: Keyring, place: Place, bytes: Uint8Array): Buffer =>
  seal(keyring, toCell(place), bytes)
export const openPart = (keyring: Keyring, place: Place, sealed: Uint8Array): Buffer =>
  open(keyring, toCell(place), sealed)
