import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { DestinationStream } from 'pino'
import type { Config } from '../config.ts'

const maxBytes = 10 * 1024 * 1024

export const panelLogPath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'panel.log')

/**
 * Standard output, and a copy in DATA_DIR for `./panel logs` unless the journal keeps what this process writes. Like the
 * logs of the programs it starts again at 10 MB. When the reader of standard output has gone, lines go to the file alone.
 */
export function openPanelLog(
  config: Pick<Config, 'DATA_DIR'>,
  env: Readonly<Record<string, string | undefined>>,
  stdout: Writable = process.stdout
): DestinationStream & { close(): void } {
  let file = env.JOURNAL_STREAM === undefined ? openSync(panelLogPath(config), 'a', 0o600) : undefined
  let hasReader = true
  // Uncaught, the error would be logged, to the same stream.
  stdout.on('error', () => (hasReader = false))
  let bytes = file === undefined ? 0 : fstatSync(file).size
  return {
    write(line) {
      if (hasReader) stdout.write(line)
      if (file === undefined) return
      try {
        if (bytes > maxBytes) {
          ftruncateSync(file)
          bytes = 0
        }
        bytes += writeSync(file, line)
      } catch {
        // The disk is full: standard output has the line.
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    }
  }
}
