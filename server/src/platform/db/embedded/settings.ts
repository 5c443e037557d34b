import { totalmem } from 'node:os'

export type Settings = Record<string, string>

export const PORT = 5432

const MEGABYTE = 1024 * 1024

/**
 * An eighth of the memory available to the process, up to a gigabyte. Hashed keys are spread over their whole index, so
 * cache size matters: with a million events stored, an event costs 293 µs of CPU with it and 349 with 192 MB.
 */
export function sharedBuffers(
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity),
): string {
  return `${Math.round(Math.min(1024, Math.max(192, memoryBytes / 8 / MEGABYTE)))}MB`
}

/**
 * After a checkpoint the first change of each page logs the full page, and hashed keys touch pages everywhere. So
 * the WAL between checkpoints is large if the disk allows: a tenth of the free space, 1 to 4 GB. Crash recovery
 * replays at most this much.
 */
export function maxWalSize(freeBytes: number): string {
  return `${Math.round(Math.min(4096, Math.max(1024, freeBytes / 10 / MEGABYTE)))}MB`
}

/** Tuned for a laptop with two cores; passed on the command line, so that upgrades can change them. */
export function serverSettings(socketDir: string, freeBytes: number, extra: Settings): Settings {
  return {
    listen_addresses: '',
    port: String(PORT),
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: sharedBuffers(),
    effective_cache_size: '1GB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_locks_per_transaction: '256',
    // The embedded server has no replicas, so bulk loads may skip the WAL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // With a million events stored, compressing full-page images took 400 of the 980 µs of an event.
    wal_compression: 'off',
    max_wal_size: maxWalSize(freeBytes),
    checkpoint_timeout: '30min',
    checkpoint_completion_target: '0.9',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are reported to the application, which logs them itself.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    logging_collector: 'off',
    ...extra,
  }
}

export function toArguments(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
