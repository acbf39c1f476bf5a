// Replaces the previous build. Runs before any package is installed, so it imports only Node's own modules.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const aside = (place) => `${place}.old`

/** Restores the previous build after a crash between the two renames of putInPlace. */
export function putBack(place) {
  if (!existsSync(place) && existsSync(aside(place))) renameSync(aside(place), place)
}

/**
 * Replaces the build; a crash leaves the previous one in place (`putBack`). Files of the previous build in the folder
 * `late`, which have hashed names, are kept for running processes that load them later; older ones are deleted.
 */
export function putInPlace(next, place, late) {
  const list = (build) => join(build, `${late}.json`)
  const own = readdirSync(join(next, late))
  const listed = readList(list(place))
  // A build that equals the previous one must not delete the files of the one before that.
  const previous = own.every((name) => listed.includes(name)) ? readdirSync(join(place, late)) : listed
  for (const name of previous)
    if (!own.includes(name) && existsSync(join(place, late, name)))
      cpSync(join(place, late, name), join(next, late, name))
  writeFileSync(list(next), JSON.stringify(own))
  rmSync(aside(place), { recursive: true, force: true })
  if (existsSync(place)) renameSync(place, aside(place))
  renameSync(next, place)
  rmSync(aside(place), { recursive: true, force: true })
}

/** Empty without a build, or if a power failure left the list empty. */
function readList(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
