// Puts what was built where the build before it is. It runs before the panel starts, so it uses Node alone.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const aside = (place) => `${place}.old`

/** After a crash between the two steps of putInPlace, the build before is where it was. */
export function putBack(place) {
  if (!existsSync(place) && existsSync(aside(place))) renameSync(aside(place), place)
}

/**
 * A crash in the middle leaves the build before in place. Of the folder `late`, whose files are named by what is in them, those of the build before
 * stay beside the new ones, for who runs it still and loads them later; those before it go.
 */
export function putInPlace(next, place, late) {
  const list = (build) => join(build, `${late}.json`)
  const own = readdirSync(join(next, late))
  const listed = readList(list(place))
  // The same once more takes nothing away from whoever runs the build before it.
  const before = own.every((name) => listed.includes(name)) ? readdirSync(join(place, late)) : listed
  for (const name of before)
    if (!own.includes(name) && existsSync(join(place, late, name)))
      cpSync(join(place, late, name), join(next, late, name))
  writeFileSync(list(next), JSON.stringify(own))
  rmSync(aside(place), { recursive: true, force: true })
  if (existsSync(place)) renameSync(place, aside(place))
  renameSync(next, place)
  rmSync(aside(place), { recursive: true, force: true })
}

/** None where there is no build, nor where a power cut left the list empty. */
function readList(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
