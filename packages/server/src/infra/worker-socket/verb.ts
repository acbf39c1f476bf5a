import type { Readable } from 'node:stream'

/** Of one call, besides its arguments. */
export interface VerbCall {
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal
  /** What the caller sends behind the arguments. */
  input: Readable
}

/**
 * What may be asked for. The arguments come from a process that may have been taken over: `parse` throws on any that are not exactly what
 * it takes. A result with a Readable as its `stream` is sent with it; all else goes as structured clones do.
 */
export interface SocketVerb {
  parse: (args: unknown) => readonly unknown[]
  run: (args: readonly unknown[], call: VerbCall) => Promise<unknown>
}

/** How errors go over the socket: those of classes that callers tell apart. Undefined for all others, which stay with the worker. */
export interface ErrorCodec {
  encode(error: unknown): object | undefined
  decode(data: unknown): Error
}

export const verbName = /^[a-z][A-Za-z-]*\.[a-z][A-Za-z]*$/
