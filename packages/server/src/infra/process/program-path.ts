import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

export const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const found = new Map<string, string>()

/** Cached. Keeps paths and the names of missing programs, so that the start reports them. */
export function resolveProgram(program: string, path = programPath): string {
  if (program.includes('/')) return program
  const key = `${path}\0${program}`
  const known = found.get(key)
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
