import { z } from 'zod'
import { copyProblems, type CopyEvent, type CopyOutcome, type CopyTask } from './mailbox-copier.ts'

/** First input line of the copy process. Both servers are reached through sockets in its directory. */
export interface CopyOrder extends CopyTask {
  maxMessageBytes: number
  /** PEM, trusted in addition to the system's CAs. */
  authorities: string | undefined
}

export const sourceSocket = 'source.sock'
export const targetSocket = 'target.sock'

/** Output lines; the process waits for an acknowledgment of each. */
export type CopyLine = CopyEvent | ({ type: 'outcome' } & CopyOutcome)

const count = z.int().min(0)
const uint32 = z.int().min(0).max(0xffffffff)
const Path = z
  .string()
  .max(1_000)
  .regex(/^[^\0]*$/)

/** Validates the output: the process handles untrusted data and may be compromised. */
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
