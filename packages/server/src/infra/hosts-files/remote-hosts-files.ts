import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import type { NodeConnection, RunThere } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import type { HostsFiles } from './hosts-files.ts'

const timeoutMs = 15_000

// Containers mount the file itself, so it must stay the same one.
const writeScript = 'umask 022; mkdir -p -m 711 -- "${1%/*}" && cat >"$1"'
const listScript = 'mkdir -p -m 711 -- "$1" && cd -- "$1" && find . -type f -exec sha256sum -- {} +'

interface RemoteHostsFilesOptions {
  connection: Pick<NodeConnection, 'run'>
  /** On the machine. */
  directory: string
}

/** On another machine, with one call for all files that are as they should be. */
export function createRemoteHostsFiles({ connection, directory }: RemoteHostsFilesOptions): HostsFiles {
  /** Hash of each file, as it was listed or written. */
  let known = new Map<number, string>()
  const pathOf = (uid: number) => join(directory, String(uid))
  const shell = (script: string, path: string, options: Partial<Parameters<RunThere>[1]> = {}) =>
    connection.run(['sh', '-c', script, 'sh', path], { timeoutMs, ...options }).catch((cause: unknown) => {
      if (!(cause instanceof ProcessError)) throw cause
      const reason = cause.stderr.trim().split('\n').at(-1) || cause.message
      throw new AdapterError('node-unavailable', 'The hosts files of the machine cannot be written', { cause, reason })
    })
  return {
    async write(uid, text) {
      const hash = createHash('sha256').update(text).digest('hex')
      if (known.get(uid) === hash) return pathOf(uid)
      known.delete(uid)
      await shell(writeScript, pathOf(uid), { input: text })
      known.set(uid, hash)
      return pathOf(uid)
    },
    async list() {
      const { stdout } = await shell(listScript, directory)
      const files = [...stdout.matchAll(/^(\w{64}) [ *]\.\/(\d+)$/gm)]
      known = new Map(files.map(([, hash, uid]) => [Number(uid), hash!]))
      return [...known.keys()]
    },
    async remove(uid) {
      known.delete(uid)
      await shell('rm -f -- "$1"', pathOf(uid))
    }
  }
}
