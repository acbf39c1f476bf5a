import { isProcessName } from '@panel/contract/processes'

/** Commands by process, in the order of the file. */
export type Processes = Readonly<Record<string, string>>

const maxLines = 1000
const maxProcesses = 20
const maxCommandLength = 2000

/**
 * Reads `name: command` lines. Leaves out lines that are none, comments, and lines with an invalid name or an unusable
 * command, so that a file for another platform does not stop a build. The first line of a name counts.
 */
export function parseProcfile(text: string | undefined): Processes {
  const found = new Map<string, string>()
  for (const line of (text ?? '').split('\n', maxLines)) {
    const [, name = '', rest = ''] = /^([^\s:#]+):(.*)$/.exec(line.trimEnd()) ?? []
    const command = rest.trim()
    const isUsable = isProcessName(name) && command !== '' && command.length <= maxCommandLength && isPlain(command)
    if (isUsable && !found.has(name) && found.size < maxProcesses) found.set(name, command)
  }
  return Object.fromEntries(found)
}

const isPlain = (command: string): boolean => command.isWellFormed() && !/[\0-\x08\x0a-\x1f\x7f]/.test(command)

export const webProcess = (procfile: string | undefined): string | undefined => parseProcfile(procfile).web
