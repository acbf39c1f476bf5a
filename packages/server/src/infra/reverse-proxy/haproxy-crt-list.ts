import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import type { Send } from './haproxy-map.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'

export interface RunningLine {
  file: string
  number: number
  filters: string
}

interface HaproxyCrtList {
  /** All running lines in HAProxy's order, without the default certificate. */
  lines(): Promise<RunningLine[]>
  /** Creates or updates a file; a new one is not served yet. Resolves with HAProxy's error, if any. */
  store(file: string, pem: string): Promise<string | undefined>
  /** Adds a line, which starts serving the stored file. Resolves with HAProxy's error, if any. */
  add(file: string, filters: string): Promise<string | undefined>
  removeLine(line: RunningLine): Promise<void>
  removeOnlyLine(file: string): Promise<boolean>
  removeStored(file: string): Promise<void>
}

// HAProxy's commands try this lock without waiting. Our own run one at a time, so only another client can hold it.
const lockedMessage = 'certificates are currently locked'
const lockedTriesMax = 50
const lockedWaitMs = 20

/** One call at a time: HAProxy 2.6 may crash if a line is removed during a listing. */
export function createHaproxyCrtList(send: Send, { crtList, certificates }: HaproxyPaths): HaproxyCrtList {
  const path = (file: string) => `${certificates}/${file}`
  const command = async (text: string): Promise<string> => {
    for (let tries = 1; ; tries++) {
      const answer = await send(text)
      if (!answer.includes(lockedMessage)) return answer
      if (tries === lockedTriesMax) throw unexpected(answer)
      await sleep(lockedWaitMs)
    }
  }
  /** HAProxy has a single transaction: `set` joins one that another client left open, whichever file it is for. */
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

function parseLine(directory: string, line: string): RunningLine | undefined {
  if (!line.startsWith(`${directory}/`)) return undefined
  const [, file, number, filters = ''] = /^([^/ :]+):([0-9]+)(?: (.*))?$/.exec(line.slice(directory.length + 1)) ?? []
  return file === undefined ? undefined : { file, number: Number(number), filters }
}

/** An error that is not about the certificate: a reload in between, or a change by another client. */
export const unexpected = (answer: string): AdapterError =>
  new AdapterError('reverse-proxy-unavailable', 'The reverse proxy rejected a certificate change', {
    cause: new Error(answer.slice(0, 500))
  })
