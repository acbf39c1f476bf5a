import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import type { Send } from './haproxy-map.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'

/** A line of the running list. */
export interface RunningLine {
  file: string
  number: number
  filters: string
}

/** The certificate commands of the admin socket. Files are named without their directory. */
interface HaproxyCrtList {
  /** All lines that run, in the order in which HAProxy looks at them; not the default certificate's. */
  lines(): Promise<RunningLine[]>
  /** Puts a content into the store, where it is not served yet, or in place of the one that is. Resolves with what HAProxy has against it. */
  store(file: string, pem: string): Promise<string | undefined>
  /** Adds a line: the stored file is served from now on. Resolves with what HAProxy has against it. */
  add(file: string, filters: string): Promise<string | undefined>
  removeLine(line: RunningLine): Promise<void>
  /** Of a file that has one line; resolves with whether there was exactly one. */
  removeOnlyLine(file: string): Promise<boolean>
  /** Takes a file that no line serves out of the store. */
  removeStored(file: string): Promise<void>
}

// Each command takes this lock and does not wait for it. Only another client's command can hold it: ours come one after another.
const lockedAnswer = 'certificates are currently locked'
const lockedTriesMax = 50
const lockedWaitMs = 20

/**
 * One call at a time only: a listing that meets the removal of a line may crash HAProxy 2.6, which keeps a pointer to it from one
 * buffer to the next.
 */
export function createHaproxyCrtList(send: Send, { crtList, certificates }: HaproxyPaths): HaproxyCrtList {
  const path = (file: string) => `${certificates}/${file}`
  const command = async (text: string): Promise<string> => {
    for (let tries = 1; ; tries++) {
      const answer = await send(text)
      if (!answer.includes(lockedAnswer)) return answer
      if (tries === lockedTriesMax) throw unexpected(answer)
      await sleep(lockedWaitMs)
    }
  }
  /** HAProxy has one transaction for all files: `set` goes into one that somebody left between set and commit, whatever it names. */
  const setTransaction = async (file: string, pem: string): Promise<string> => {
    const set = `set ssl cert ${path(file)} <<\n${pem}`
    const answer = await command(set)
    const named = /^Transaction updated for certificate ([A-Za-z0-9._/-]+)!/.exec(answer)?.[1]
    if (named === undefined || named === path(file)) return answer
    await command(`abort ssl cert ${named}`)
    return command(set)
  }
  return {
    async lines() {
      const answer = await send(`show ssl crt-list -n ${crtList}`)
      if (!answer.startsWith(`# ${crtList}`)) throw unexpected(answer)
      return answer.split('\n').flatMap((line) => parseLine(certificates, line) ?? [])
    },
    async store(file, pem) {
      const created = await command(`new ssl cert ${path(file)}`)
      if (!/^New empty|already exists/.test(created)) return created
      const set = await setTransaction(file, pem)
      if (!/^Transaction (created|updated)/.test(set)) return set
      const committed = await command(`commit ssl cert ${path(file)}`)
      if (committed.endsWith('Success!')) return undefined
      await command(`abort ssl cert ${path(file)}`)
      return committed
    },
    async add(file, filters) {
      const answer = await command(`add ssl crt-list ${crtList} <<\n${path(file)} ${filters}\n`)
      return answer.endsWith('Success!') ? undefined : answer
    },
    async removeLine({ file, number }) {
      const answer = await command(`del ssl crt-list ${crtList} ${path(file)}:${number}`)
      if (!answer.includes('deleted in crtlist')) throw unexpected(answer)
    },
    async removeOnlyLine(file) {
      const answer = await command(`del ssl crt-list ${crtList} ${path(file)}`)
      return answer.includes('deleted in crtlist')
    },
    async removeStored(file) {
      const answer = await command(`del ssl cert ${path(file)}`)
      if (!/deleted!|doesn't exist/.test(answer)) throw unexpected(answer)
    }
  }
}

/** `<path>:<number> <filters>` */
function parseLine(directory: string, line: string): RunningLine | undefined {
  if (!line.startsWith(`${directory}/`)) return undefined
  const [, file, number, filters = ''] = /^([^/ :]+):([0-9]+)(?: (.*))?$/.exec(line.slice(directory.length + 1)) ?? []
  return file === undefined ? undefined : { file, number: Number(number), filters }
}

/** An answer that says nothing about a certificate: a proxy that reloads in the middle, or somebody else's change. */
export const unexpected = (answer: string): AdapterError =>
  new AdapterError('reverse-proxy-unavailable', 'The reverse proxy refused a change of its certificates', {
    cause: new Error(answer.slice(0, 500))
  })
