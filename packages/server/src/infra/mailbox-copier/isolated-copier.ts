import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { basename, dirname, extname, join, relative } from 'node:path'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { withJobUser } from '../process/job-user.ts'
import { oomScore, setOomScore } from '../process/oom-score.ts'
import { inPlaces, type SystemUser, workPlace } from '../process/privileges.ts'
import type { Run } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { killGroup, startChild } from '../process/start-child.ts'
import { CopyFailure, sourceOutcome } from './copy-failure.policy.ts'
import { CopyLineSchema, type CopyOrder, sourceSocket, targetSocket } from './copy-protocol.ts'
import { readBoundedLines } from './bounded-lines.ts'
import type { CopyEvent, CopyOutcome, CopyTask, MailboxCopier } from './mailbox-copier.ts'
import { connectToSource, type SourceAddressOptions } from './source-address.ts'

export interface IsolatedCopierOptions extends SourceAddressOptions {
  run: Run
  /** Root only; holds running copies. The path must be short, because it contains sockets. */
  directory: string
  openMailbox: (address: string) => Promise<Duplex>
  maxMessageBytes: number
  authorities?: string
  /** Timeouts without any progress: default 2 minutes until the folder list, then 10. */
  startMs?: number
  stallMs?: number
}

type ChildProcess = Awaited<ReturnType<typeof startChild>>

/** Memory limits of a copy process, since the source controls what it reads. */
const maxDataBytes = 640 * 2 ** 20
const maxHeapMb = 192

const here = fileURLToPath(import.meta.url)
const extension = extname(here)
const root = join(dirname(here), '..', '..', '..', '..', '..')
const places = { node: '/run/panel-copy/node', code: '/run/panel-copy/code' }

/**
 * Runs each copy in a sandboxed process with its own user, mount namespace and empty network namespace, because it
 * parses untrusted data. It reaches the source and the mailbox only through two sockets that this process has
 * connected, and only for as long as this process lives.
 */
export function createIsolatedCopier(options: IsolatedCopierOptions): MailboxCopier {
  return {
    async copy(task, { onEvent, signal }) {
      try {
        signal.throwIfAborted()
        const source = await connectToSource(task.source, options, signal)
        source.on('error', () => {})
        try {
          return await inDirectory(options, task.id, (directory, user) =>
            copyThrough(options, { task, source, directory, user, onEvent, signal })
          )
        } finally {
          source.destroy()
        }
      } catch (error) {
        if (signal.aborted) return { problem: 'aborted' }
        if (error instanceof CopyFailure) return sourceOutcome(error)
        throw error
      }
    }
  }
}

async function inDirectory<T>(
  { directory, run }: IsolatedCopierOptions,
  name: string,
  work: (path: string, user: SystemUser | undefined) => Promise<T>
): Promise<T> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw new TypeError('Not a name of a copy')
  const path = join(directory, name)
  // Removes leftovers of a killed copy.
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { recursive: true, mode: 0o700 })
  try {
    return await withJobUser(path, run, (user) => work(path, user))
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

interface Copy {
  task: CopyTask
  source: Socket
  directory: string
  user: SystemUser | undefined
  onEvent: (event: CopyEvent) => Promise<unknown>
  signal: AbortSignal
}

async function copyThrough(options: IsolatedCopierOptions, copy: Copy): Promise<CopyOutcome> {
  const { task, directory, user, signal } = copy
  const servers = [
    await serveOnce(join(directory, sourceSocket), async () => copy.source),
    await serveOnce(join(directory, targetSocket), () => options.openMailbox(task.address))
  ]
  try {
    const child = await startCopy(directory, user)
    const end = () => killGroup(child)
    signal.addEventListener('abort', end, { once: true })
    try {
      const order: CopyOrder = { ...task, maxMessageBytes: options.maxMessageBytes, authorities: options.authorities }
      return await converse(child, order, copy, options)
    } finally {
      signal.removeEventListener('abort', end)
      end()
    }
  } finally {
    for (const server of servers) server.close()
  }
}

async function serveOnce(path: string, open: () => Promise<Duplex>): Promise<Server> {
  const server = createServer((client) => {
    server.close()
    client.on('error', () => {})
    open().then(
      (other) => connectBoth(client, other),
      () => client.destroy()
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve)
  })
  // Access is restricted by the directories above it.
  await chmod(path, 0o666)
  return server
}

function connectBoth(a: Duplex, b: Duplex): void {
  const end = () => {
    a.destroy()
    b.destroy()
  }
  for (const each of [a, b]) each.once('error', end).once('close', end)
  a.pipe(b)
  b.pipe(a)
}

function startCopy(directory: string, user: SystemUser | undefined): Promise<ChildProcess> {
  const script = join('packages', 'server', basename(join(dirname(here), '..', '..')), 'infra', 'mailbox-copier', `copy-process${extension}`) // oxfmt-ignore
  const nodeArguments = (code: string) => [
    `--max-old-space-size=${maxHeapMb}`,
    ...(extension === '.ts' ? ['--import', join(code, relative(root, fileURLToPath(import.meta.resolve('tsx'))))] : []),
    join(code, script)
  ]
  const stdio = ['pipe', 'pipe', 'pipe'] as const
  // Lower priority than serving sites and mail.
  const limited = ['nice', '-n', '10', 'prlimit', `--data=${maxDataBytes}`, '--core=0', '--'] as const
  // Without root (development) there is no sandbox.
  if (!user)
    return startChild([...limited, process.execPath, ...nodeArguments(root)], {
      env: { PATH: programPath },
      stdio: [...stdio],
      cwd: directory
    })
  const inCage = inPlaces(
    [
      { directory: dirname(process.execPath), at: places.node },
      { directory: root, at: places.code },
      { directory, at: workPlace }
    ],
    user,
    [...limited, join(places.node, basename(process.execPath)), ...nodeArguments(places.code)]
  )
  return Promise.all(Object.values(places).map((place) => mkdir(place, { recursive: true }))).then(() =>
    startChild(['unshare', '--net', '--', ...inCage], { env: { PATH: programPath }, stdio: [...stdio], cwd: directory })
  )
}

const maxLineBytes = 256 * 1024

async function converse(
  child: ChildProcess,
  order: CopyOrder,
  { onEvent, signal }: Copy,
  { startMs = 2 * 60_000, stallMs = 10 * 60_000 }: Pick<IsolatedCopierOptions, 'startMs' | 'stallMs'>
): Promise<CopyOutcome> {
  const [input, output] = [child.stdin!, child.stdout!]
  // An exit is detected at the output.
  input.on('error', () => {})
  child.stderr!.resume()
  setOomScore(child.pid!, oomScore.tool)
  let hasStalled = false
  const stall = () => {
    hasStalled = true
    killGroup(child)
  }
  let timer = setTimeout(stall, startMs)
  input.write(`${JSON.stringify(order)}\n`)
  try {
    for await (const line of readBoundedLines(output, maxLineBytes)) {
      const message = CopyLineSchema.safeParse(asJson(line))
      if (!message.success) return { problem: 'source-misbehaves' }
      clearTimeout(timer)
      timer = setTimeout(stall, stallMs)
      const { type, ...rest } = message.data
      if (type === 'outcome') return rest as CopyOutcome
      signal.throwIfAborted()
      await onEvent(message.data as CopyEvent)
      input.write('\n')
    }
  } finally {
    clearTimeout(timer)
  }
  signal.throwIfAborted()
  // Ended without an outcome: it ran out of memory.
  return { problem: hasStalled ? 'source-stalls' : 'source-misbehaves' }
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
