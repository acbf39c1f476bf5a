import { z } from 'zod'
import { copyProblems, type CopyEvent, type CopyOutcome, type CopyTask } from './mailbox-copier.ts'

/** What the process that copies is told, on one line of its standard input. Its two servers are at sockets in its directory. */
export interface CopyOrder extends CopyTask {
  maxMessageBytes: number
  /** Authorities to trust beside the system's. */
  authorities: string | undefined
}

export const sourceSocket = 'source.sock'
export const targetSocket = 'target.sock'

/** What it answers, a line each. Each is taken before it goes on, which it is told by a line. */
export type CopyLine = CopyEvent | ({ type: 'outcome' } & CopyOutcome)

const count = z.int().min(0)
const uint32 = z.int().min(0).max(0xffffffff)
const Path = z
  .string()
  .max(1_000)
  .regex(/^[^\0]*$/)

/** It speaks with strangers: nothing of what it says is taken on trust. */
export const CopyLineSchema: z.ZodType<CopyLine> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('planned'), folders: count, messages: count, bytes: count }),
  z.object({
    type: z.literal('position'),
    position: z.object({
      path: Path,
      uidValidity: uint32,
      lastUid: uint32,
      target: Path,
      targetUidValidity: uint32,
      targetUidNext: uint32
    }),
    messages: count,
    bytes: count
  }),
  z.object({ type: z.literal('folder-done') }),
  z.object({
    type: z.literal('left-out'),
    folder: Path,
    reason: z.enum(['view', 'unreadable', 'message-too-large']),
    messages: count
  }),
  z.object({ type: z.literal('alive') }),
  z.object({
    type: z.literal('outcome'),
    problem: z.enum(copyProblems).optional(),
    detail: z.string().max(200).optional()
  })
]) as z.ZodType<CopyLine>
