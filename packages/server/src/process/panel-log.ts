import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { DestinationStream } from 'pino'
import type { Config } from '../config.ts'

const maxBytes = 10 * 1024 * 1024

export const panelLogPath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'panel.log')

/**
 * Standard output, and a copy in DATA_DIR for `./panel logs` unless the journal keeps what this process writes. Like the
 * logs of the programs it starts again at 10 MB.
 */
export function openPanelLog(
  config: Pick<Config, 'DATA_DIR'>,
  env: Readonly<Record<string, string | undefined>>,
  stdout: DestinationStream = process.stdout
): DestinationStream & { close(): void } {
  let file = env.JOURNAL_STREAM === undefined ? openSync(panelLogPath(config), 'a', 0o600) : undefined
  let bytes = file === undefined ? 0 : fstatSync(file).size
  return {
    write(line) {
      stdout.write(line)
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
