import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessAborted } from '../../concurrency/time-limit.ts'
import { AdapterError } from '../adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import { childStream } from '../process/child-stream.ts'
import { ProcessError } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { readLines } from '../process/read-lines.ts'
import { run } from '../process/run.ts'
import { killGroup, startChild } from '../process/start-child.ts'
import type { NodeConnection } from './node-connection.ts'
import {
  commandArguments,
  connectArguments,
  forwardArguments,
  knownHostsLine,
  masterArguments,
  relayArguments,
  type SshTarget
} from './ssh-arguments.policy.ts'

type ChildProcess = Awaited<ReturnType<typeof startChild>>

interface SshOptions {
  target: SshTarget
  keyPath: string
  /** Only of this connection; private, and short, because paths of sockets are. Removed by `close`. */
  directory: string
}

const openTimeoutMs = 15_000
const forwardTimeoutMs = 10_000
/** Exit status of `ssh` itself; programs of the machine that use it are taken for a lost connection. */
const sshFailed = 255

/**
 * One OpenSSH connection, opened on first use and again after it was lost. Programs, sockets and TCP connections share
 * it.
 */
export function createSshConnection({ target, keyPath, directory }: SshOptions): NodeConnection {
  const files = {
    keyPath,
    knownHostsPath: join(directory, 'known_hosts'),
    controlPath: join(directory, 'control')
  }
  let master: Promise<ChildProcess> | undefined
  let forwards = new Map<string, Promise<string>>()
  let relays = new Map<string, Promise<number>>()
  let isClosed = false

  async function open(): Promise<ChildProcess> {
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(files.knownHostsPath, knownHostsLine(target), { mode: 0o600 })
    const child = await startChild(masterArguments(files, target), { env: environment, stdio: 'pipe' })
    try {
      await untilEchoed(child)
    } catch (error) {
      killGroup(child)
      throw error
    }
    child.stderr!.resume()
    return child
  }
  async function ensureOpen(): Promise<ChildProcess> {
    if (isClosed) throw unreachable('the machine was removed')
    if (!master) {
      forwards = new Map()
      relays = new Map()
      const attempt = open()
      master = attempt
      const lost = () => {
        if (master === attempt) master = undefined
      }
      attempt.then((child) => {
        child.once('exit', lost)
        if (hasEnded(child)) lost()
      }, lost)
    }
    return master
  }

  async function relayTo(to: string): Promise<number> {
    await ensureOpen()
    const current = relays
    const known = current.get(to)
    if (known) return known
    const relay = run(relayArguments(files, target, to), { timeoutMs: forwardTimeoutMs })
      .then(({ stdout }) => {
        // 0 while an earlier request, which took too long, is not answered.
        if (!(Number(stdout) > 0)) throw new Error('the SSH server has not named a port yet')
        return Number(stdout)
      })
      .catch((error: unknown) => {
        current.delete(to)
        throw unreachable(error instanceof ProcessError ? error.stderr : messageOf(error), error)
      })
    current.set(to, relay)
    return relay
  }

  const connection: NodeConnection = {
    async ping(timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs)
      const isAnswered = await unlessAborted(
        ensureOpen().then((child) => isEchoed(child, signal)),
        signal
      ).catch((error: unknown) => {
        throw signal.aborted ? unreachable('', error) : error
      })
      if (!isAnswered) throw unreachable('the connection was lost')
    },
    async run(argv, options) {
      await ensureOpen()
      return run(commandArguments(files, target, argv), options).catch((error: unknown) => {
        if (error instanceof ProcessError && error.exitCode === sshFailed) throw unreachable(error.stderr, error)
        throw error
      })
    },
    async readFile(path) {
      const limits = { timeoutMs: forwardTimeoutMs, maxOutputBytes: 16 * 2 ** 20 }
      try {
        return (await connection.run(['env', 'LC_ALL=C', 'cat', '--', path], limits)).stdout
      } catch (error) {
        if (!(error instanceof ProcessError) || !/: No such (file or directory|process)$/m.test(error.stderr))
          throw error
        throw Object.assign(new Error(`${path} does not exist on the machine`, { cause: error }), { code: 'ENOENT' })
      }
    },
    async socket(path) {
      await ensureOpen()
      const known = forwards.get(path)
      if (known) return known
      const from = join(directory, `s${forwards.size}`)
      const forward = run(forwardArguments(files, target, { from, to: path }), { timeoutMs: forwardTimeoutMs }).then(
        () => from,
        (error: unknown) => {
          forwards.delete(path)
          throw unreachable(error instanceof ProcessError ? error.stderr : '', error)
        }
      )
      forwards.set(path, forward)
      return forward
    },
    start: (argv, { onStderrLine }) =>
      childStream(async () => {
        await ensureOpen()
        const child = await startChild(commandArguments(files, target, argv), { env: environment, stdio: 'pipe' })
        readLines(child.stderr!, onStderrLine)
        return child
      }),
    connect: (address, port) =>
      childStream(async () => {
        await ensureOpen()
        return startChild(connectArguments(files, target, { address, port }), {
          env: environment,
          stdio: ['pipe', 'pipe', 'ignore']
        })
      }),
    relay: (address, port) => relayTo(`${address}:${port}`),
    relaySocket: relayTo,
    async close() {
      isClosed = true
      const child = await master?.catch(() => undefined)
      if (child) {
        killGroup(child)
        if (!hasEnded(child)) await once(child, 'exit')
      }
      await rm(directory, { recursive: true, force: true })
    }
  }
  return connection
}

const environment = { PATH: programPath }
const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Resolves when the machine sends back what it was sent: signed in, and the shared socket is there. */
async function untilEchoed(child: ChildProcess): Promise<void> {
  const problems: string[] = []
  child.stderr!.setEncoding('utf8').on('data', (text: string) => problems.push(text))
  child.stdin!.on('error', () => {}) // Its end is reported below.
  const timer = setTimeout(() => killGroup(child), openTimeoutMs)
  try {
    if (!(await isEchoed(child))) throw unreachable(problems.join(''))
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the machine sent back a line, by `cat`; false if the connection ended. Rejects when `signal` fires. */
async function isEchoed(child: ChildProcess, signal?: AbortSignal): Promise<boolean> {
  const done = new AbortController()
  const until = { signal: signal ? AbortSignal.any([signal, done.signal]) : done.signal }
  child.stdin!.write('\n')
  try {
    return await Promise.race([
      once(child.stdout!, 'data', until).then(() => true),
      once(child, 'close', until).then(() => false)
    ])
  } finally {
    done.abort()
  }
}

function unreachable(stderr: string, cause?: unknown): AdapterError {
  const reason = stderr.trim().split('\n').at(-1)?.slice(0, 300)
  return new AdapterError('node-unavailable', 'The machine cannot be reached over SSH. Try again later.', {
    cause,
    reason: reason === undefined || reason === '' ? 'no answer in time' : reason
  })
}
