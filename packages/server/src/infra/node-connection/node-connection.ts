import type { Duplex } from 'node:stream'
import type { Run } from '../process/process.ts'

/** The way to a machine. Rejects with AdapterError node-unavailable if the machine cannot be reached. */
export interface NodeConnection {
  /** Whether the machine answers, without a program there. `timeoutMs` includes connecting again. */
  ping(timeoutMs: number): Promise<void>
  /** Runs a program of the machine as the panel's user there. */
  run: RunThere
  /** The standard streams of a program that ends when its standard input does. Failures to start are events. */
  start(argv: Parameters<Run>[0], options: { onStderrLine: (line: string) => void }): Duplex
  /** For small files; also of /proc. */
  readFile(path: string): Promise<string>
  /** Path of a socket on this machine that forwards to the socket `path` of the other. */
  socket(path: string): Promise<string>
  /** A TCP connection from the machine. Errors arrive as events of the stream. */
  connect(address: string, port: number): Duplex
  /**
   * A port of the machine's loopback that is forwarded to a TCP service of this machine, whether or not that runs. Another one after
   * the connection was lost.
   */
  relay(address: string, port: number): Promise<number>
  /** Like `relay`, to the socket `path` of this machine. */
  relaySocket(path: string): Promise<number>
  close(): Promise<void>
}

export type RunThere = (
  argv: Parameters<Run>[0],
  options: Pick<Parameters<Run>[1], 'timeoutMs' | 'input' | 'maxOutputBytes' | 'signal' | 'exitCodes' | 'stderr'>
) => ReturnType<Run>
