import { type EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startChild } from '../infra/process/start-child.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Holds the pid of the process that started this one to try it. */
const supervisorVariable = 'PANEL_SUPERVISOR'
const Ready = z.object({ ready: z.object({ host: z.string(), port: z.number() }) })

// The first start of a version may install Debian packages.
const startLimitMs = 15 * 60_000
const probeTimeoutMs = 10_000
const probeRetries = 12

export const isSupervised = (env: Env): boolean => env[supervisorVariable] === String(process.ppid)

/** Ends this process as soon as its supervisor is gone: the next start would find two panels. The programs keep running. */
export function endWithSupervisor(env: Env): void {
  if (!env[supervisorVariable]) return
  setInterval(() => {
    if (!isSupervised(env)) process.exit(1)
  }, 1_000).unref()
}

/** Tells the supervisor, if there is one, that this version serves. */
export function reportReady({ address, port }: { address: string; port: number }): void {
  if (process.channel) process.send?.({ ready: { host: localAddress(address), port } })
}

/** An address on this machine of what listens there. */
const localAddress = (address: string): string => (address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address)

export interface SupervisedPanel {
  /** Resolves when it serves; rejects with the reason if it does not. */
  serving(): Promise<void>
  /** Resolves with its exit status. */
  ended: Promise<number>
  signal(name: NodeJS.Signals): void
}

/** Starts another version; rejects if that is not possible. Its standard error is passed on, and its end is the reason if it fails. */
export async function startSupervised(directory: string, args: readonly string[], env: Env): Promise<SupervisedPanel> {
  // In a process group of its own: Ctrl-C reaches it once, from here.
  const child = await startChild([join(directory, 'panel'), ...args], {
    env: { ...withoutUndefined(env), [supervisorVariable]: String(process.pid) },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc']
  })
  let tail = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    tail = (tail + chunk.toString()).slice(-2_000)
  })
  const ended = new Promise<number>((resolve) => void child.once('exit', (code) => resolve(code ?? 1)))
  const failed = ended.then((code) => {
    throw new Error(`It exited with status ${code}. ${lastLine(tail)}`.trim())
  })
  failed.catch(() => {}) // Only of interest until it serves.
  const ready = readyMessage(child)
  return {
    ended,
    signal: (name) => void child.kill(name),
    async serving() {
      const limit = new AbortController()
      const late = sleep(startLimitMs, undefined, { signal: limit.signal }).then(() => {
        throw new Error(`It did not start within ${startLimitMs / 60_000} minutes. ${lastLine(tail)}`)
      })
      late.catch(() => {}) // Aborted below.
      try {
        const { host, port } = await Promise.race([ready, failed, late])
        await Promise.race([probe(host, port), failed])
      } catch (error) {
        child.kill('SIGKILL')
        await ended
        throw error
      } finally {
        limit.abort()
      }
    }
  }
}

async function readyMessage(child: EventEmitter): Promise<z.infer<typeof Ready>['ready']> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [unknown]
    const { data } = Ready.safeParse(message)
    if (data) return data.ready
  }
}

/** Resolves once the panel that listens there answers; rejects if it does not within a few attempts. */
export async function probe(address: string, port: number): Promise<void> {
  const host = localAddress(address)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/api/health`
  for (let left = probeRetries; ; left--) {
    // A redirect to PANEL_DOMAIN is an answer too.
    const status = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(probeTimeoutMs) }).then(
      async (response) => {
        await response.body?.cancel()
        return response.status < 400 ? undefined : `status ${response.status}`
      },
      () => 'no answer'
    )
    if (status === undefined) return
    if (left === 0) throw new Error(`It started, but its health check failed: ${status}.`)
    await sleep(1_000)
  }
}

export const withoutUndefined = (env: Env): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
