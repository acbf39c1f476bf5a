import { z } from 'zod'
import { Command } from './runs.ts'

/** Bytes that one side may send before the other has acknowledged them. */
export const terminalWindowBytes = 256 * 1024
/** Longest binary message that the server takes. */
export const terminalMessageBytes = 64 * 1024

export const TerminalSize = z.object({ columns: z.int().min(1).max(1000), rows: z.int().min(1).max(1000) })
export type TerminalSize = z.infer<typeof TerminalSize>

export const TerminalLimits = z.object({
  open: z.int().meta({ description: 'Terminals that your account has open.' }),
  maximum: z.int(),
  idleSeconds: z.int(),
  maxSeconds: z.int()
})
export type TerminalLimits = z.infer<typeof TerminalLimits>

/** What a client sends as text. Its binary messages are input. */
export const TerminalRequest = z.discriminatedUnion('type', [
  TerminalSize.extend({ type: z.literal('start'), command: Command.exactOptional() }),
  TerminalSize.extend({ type: z.literal('resize') }),
  z.object({ type: z.literal('ack'), bytes: z.int().min(1).max(terminalWindowBytes) })
])
export type TerminalRequest = z.infer<typeof TerminalRequest>

export const terminalEnds = [
  'EXITED',
  'CLOSED',
  'IDLE',
  'TOO_LONG',
  'ACCESS_ENDED',
  'CONTAINER_STOPPED',
  'PANEL_STOPPED',
  'PROTOCOL',
  'FAILED'
] as const
export const TerminalEnd = z.enum(terminalEnds)
export type TerminalEnd = z.infer<typeof TerminalEnd>

/** What the server sends as text. Its binary messages are output. */
export type TerminalEvent =
  | { type: 'ready'; windowBytes: number }
  | { type: 'ack'; bytes: number }
  | { type: 'end'; reason: TerminalEnd; exitCode?: number; code?: string; message?: string }
