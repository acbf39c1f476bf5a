import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** PATH of the programs that we run, where nobody has set one. */
export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const found = new Map<string, string>()

/**
 * Where a program lies: looked for once, as each start would try every directory of PATH again. A path stays as it is; so does the name of
 * a program that is not installed, for the start to say so.
 */
export function resolveProgram(program: string, path = programPath): string {
  if (program.includes('/')) return program
  const key = `${path}\0${program}`
  const known = found.get(key)
  // It may have been moved by an upgrade.
  if (known !== undefined && isExecutable(known)) return known
  const location = path
    .split(':')
    .filter((directory) => directory.startsWith('/'))
    .map((directory) => join(directory, program))
    .find(isExecutable)
  if (location !== undefined) found.set(key, location)
  return location ?? program
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
