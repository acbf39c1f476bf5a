import { z } from 'zod'
import type { SavedSnapshot, Snapshot, SnapshotEntry } from './backup-repository.ts'

const Status = z.object({
  message_type: z.literal('status'),
  bytes_done: z.number().default(0),
  total_bytes: z.number().default(0)
})
const Summary = z.object({
  message_type: z.literal('summary'),
  total_files_processed: z.number(),
  total_bytes_processed: z.number(),
  data_added: z.number(),
  snapshot_id: z.string().min(8)
})
const Node = z.object({
  struct_type: z.literal('node'),
  path: z.string(),
  type: z.string(),
  size: z.number().default(0),
  mtime: z.string()
})
const Problem = z.object({
  message_type: z.literal('error'),
  error: z.unknown(),
  item: z.string().default('')
})
const Forgotten = z.array(
  z.object({
    remove: z
      .array(z.object({ id: z.string() }))
      .nullish()
      .transform((rows) => rows ?? [])
  })
)

const Snapshots = z.array(
  z.object({
    id: z.string(),
    time: z.iso.datetime({ offset: true }),
    tags: z
      .array(z.string())
      .nullish()
      .transform((tags) => tags ?? [])
  })
)
const Stats = z.object({ total_size: z.number() })

const types = { file: 'FILE', dir: 'DIRECTORY', symlink: 'LINK' } as const

type BackupLine =
  | { type: 'progress'; bytesDone: number; bytesTotal: number }
  | { type: 'saved'; snapshot: SavedSnapshot }

/** A line of `restic backup --json`; undefined for lines that say neither. */
export function readBackupLine(line: string): BackupLine | undefined {
  const value = parse(line)
  const status = Status.safeParse(value).data
  if (status) return { type: 'progress', bytesDone: status.bytes_done, bytesTotal: status.total_bytes }
  const summary = Summary.safeParse(value).data
  if (!summary) return undefined
  const snapshot = {
    snapshotId: summary.snapshot_id,
    files: summary.total_files_processed,
    bytes: summary.total_bytes_processed,
    bytesAdded: summary.data_added
  }
  return { type: 'saved', snapshot }
}

/** A file that `restic backup --json` could not read (standard error). */
export function readProblemLine(line: string): { item: string; isGone: boolean; text: string } | undefined {
  const problem = Problem.safeParse(parse(line)).data
  if (!problem) return undefined
  const text = typeof problem.error === 'string' ? problem.error : JSON.stringify(problem.error)
  // ENOENT as text (restic 0.18) or as the number in Go's error (0.14).
  const isGone = /no such file or directory|"Err":2\b/.test(text)
  return { item: problem.item, isGone, text }
}

/** A line of `restic ls --json`; undefined for the line about the snapshot itself. */
export function readEntryLine(line: string): SnapshotEntry | undefined {
  const node = Node.safeParse(parse(line)).data
  if (!node) return undefined
  const type = types[node.type as keyof typeof types] ?? 'OTHER'
  return { path: node.path, type, size: type === 'FILE' ? node.size : 0, modifiedAt: node.mtime }
}

export const readForgotten = (output: string): string[] =>
  Forgotten.parse(output.trim() === '' ? [] : parse(output)).flatMap(({ remove }) => remove.map(({ id }) => id))

/** Output of `restic snapshots --json`, which is in order of time. */
export const readSnapshots = (output: string): Snapshot[] =>
  Snapshots.parse(parse(output) ?? []).map(({ id, time, tags }) => ({ id, takenAt: new Date(time), tags }))

/** Output of `restic stats --json`. */
export const readSize = (output: string): number => Stats.parse(parse(output)).total_size

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
