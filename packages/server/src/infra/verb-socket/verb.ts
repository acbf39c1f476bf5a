import type { Readable } from 'node:stream'

export interface VerbCall {
  /** Aborted when the caller no longer waits. */
  signal: AbortSignal
  input: Readable
}

/** The caller may be compromised: `parse` throws unless the arguments match exactly. A result may have a `stream`. */
export interface SocketVerb {
  parse: (args: unknown) => readonly unknown[]
  run: (args: readonly unknown[], call: VerbCall) => Promise<unknown>
}

/** Serializes the error classes that callers distinguish. Undefined for all others, which stay in the worker. */
export interface ErrorCodec {
  encode(error: unknown): object | undefined
  decode(data: unknown): Error
}

export const verbName = /^[a-z][A-Za-z-]*\.[a-z][A-Za-z]*$/
