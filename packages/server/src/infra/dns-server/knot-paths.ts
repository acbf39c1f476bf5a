import { join } from 'node:path'
import { isPlainPath } from '../disk/plain-path.ts'

export interface KnotDirectories {
  /** Holds the configuration, the zones and the server's own databases, DNSSEC keys among them. */
  directory: string
  /** A short path for the socket: a UNIX socket's path has at most 107 bytes. */
  runtimeDirectory: string
}

export interface KnotPaths extends KnotDirectories {
  config: string
  catalog: string
  /** A file for each zone, of its very name: with a suffix the longest names would be too long for a file. */
  zones: string
  /** What the checker looks at, on the same file system as the zones. */
  candidates: string
  /** Journal, keys (`db/keys`), members of the catalog: the server's own. */
  database: string
  log: string
  pid: string
  socket: string
}

const directoryMaxLength = 512
const runtimeDirectoryMaxLength = 107 - '/knot.sock'.length

/** Where each file of the name server lies. Throws on a directory that cannot be written into its configuration. */
export function knotPaths({ directory, runtimeDirectory }: KnotDirectories): KnotPaths {
  if (!isPlainPath(directory) || directory.length > directoryMaxLength)
    throw new Error(`The name server's directory must be an absolute path of plain characters: ${directory}`)
  if (!isPlainPath(runtimeDirectory) || runtimeDirectory.length > runtimeDirectoryMaxLength)
    throw new Error(
      `The name server's runtime directory must be a short absolute path of plain characters: ${runtimeDirectory}`
    )
  return {
    directory,
    runtimeDirectory,
    config: join(directory, 'knot.conf'),
    catalog: join(directory, 'catalog.zone'),
    zones: join(directory, 'zones'),
    candidates: join(directory, 'candidates'),
    database: join(directory, 'db'),
    log: join(directory, 'knot.log'),
    pid: join(runtimeDirectory, 'knot.pid'),
    socket: join(runtimeDirectory, 'knot.sock')
  }
}
