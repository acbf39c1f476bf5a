import { join } from 'node:path'
import { isPlainPath } from '../disk/plain-path.ts'

export interface KnotDirectories {
  /** Contains the configuration, the zones and Knot's databases, including DNSSEC keys. */
  directory: string
  /** Must be short: a Unix socket path has at most 107 bytes. */
  runtimeDirectory: string
}

export interface KnotPaths extends KnotDirectories {
  config: string
  catalog: string
  /** One file per zone, named exactly like it: with a suffix the longest names would exceed NAME_MAX. */
  zones: string
  /** Files being checked; on the same file system as `zones`, for rename(). */
  candidates: string
  database: string
  log: string
  pid: string
  socket: string
}

const directoryMaxLength = 512
const runtimeDirectoryMaxLength = 107 - '/knot.sock'.length

/** File locations of the name server. Throws on a directory that cannot be written into its configuration. */
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
