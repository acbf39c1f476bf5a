import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryPlace } from './backup-repository.ts'
import { knownHostsLine, type PlaceFiles } from './restic-command.ts'

/** Writes what restic and ssh take only from files. */
export async function writePlaceFiles(place: RepositoryPlace, directory: string): Promise<PlaceFiles> {
  const files = {
    caCertificate: join(directory, 'ca.pem'),
    privateKey: join(directory, 'key'),
    knownHosts: join(directory, 'known_hosts')
  }
  const write = (path: string, text: string) => writeFile(path, text, { mode: 0o600 })
  if (place.kind === 'SFTP') {
    await write(files.privateKey, `${place.privateKey.trim()}\n`)
    await write(files.knownHosts, knownHostsLine(place))
  } else if (place.kind !== 'FOLDER' && place.caCertificate !== undefined) {
    await write(files.caCertificate, place.caCertificate)
  }
  return files
}
