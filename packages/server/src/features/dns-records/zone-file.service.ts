import { maxZoneFileBytes } from '@panel/contract/dns-records'
import { AppError } from '../../errors.ts'
import { runInWorkerThread, WorkerThreadError } from '../../infra/worker-thread/worker-thread.ts'
import type { ZoneField } from '../../record-types/record-type.ts'
import { recordTypes } from '../../record-types/record-types.ts'

const timeLimitMs = 5_000

/** By type. */
export const nameFields: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  Object.entries(recordTypes).map(([type, { file }]) => [type, file.names])
)

export interface ZoneFileRecord {
  /** Where it begins, from 1. */
  line: number
  /** Full name in lower case, without the dot at the end; what is no plain name keeps its escapes. */
  owner: string
  /** In upper case. */
  type: string
  ttl: number
  /** Names that a type of ours points to are full, with the dot at the end. */
  rdata: ZoneField[]
}

export interface ParsedZoneFile {
  records: ZoneFileRecord[]
  errors: { line: number; message: string }[]
}

/**
 * Reads an RFC 1035 zone file, of which names are relative to `origin` at first. Lines that are none are reported, and the rest kept.
 * Rejects with VALIDATION_ERROR what is too large or takes too long.
 */
export async function readZoneFile(content: string, origin: string): Promise<ParsedZoneFile> {
  if (Buffer.byteLength(content) > maxZoneFileBytes)
    throw new AppError('VALIDATION_ERROR', `The zone file is larger than ${maxZoneFileBytes / 1024} KiB`)
  const script = new URL('./zone-file.worker.mjs', import.meta.url)
  const data = { content, origin, nameFields }
  return runInWorkerThread<ParsedZoneFile>(script, data, timeLimitMs).catch((cause: unknown) => {
    throw cause instanceof WorkerThreadError
      ? new AppError('VALIDATION_ERROR', 'The zone file could not be read: it is too complex', { cause })
      : cause
  })
}
