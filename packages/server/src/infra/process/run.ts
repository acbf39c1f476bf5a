import type { ChildProcess } from 'node:child_process'
import { pipeline, type Readable } from 'node:stream'
import { oomScore, setOomScore } from './oom-score.ts'
import { ProcessError, type Run } from './process.ts'
import { watchActivity } from './process-activity.ts'
import { programPath } from './program-path.ts'
import { readLines } from './read-lines.ts'
import { killGroup, startChild } from './start-child.ts'

/** Kills the whole group: a grandchild that holds the pipe (git's ssh) would otherwise block the call forever. */
export const run: Run = async ([file, ...args], options) => {
  const { timeoutMs, idleTimeoutMs, input, signal, maxOutputBytes = 1024 * 1024 } = options
  // oxlint-disable-next-line node/no-process-env -- only PATH
  const env = { PATH: process.env.PATH ?? programPath, ...options.env }
  let reason: ProcessError['reason'] | undefined
  let stderr = () => ''
  let limit = `took longer than ${timeoutMs} ms`
  const problem = (why: ProcessError['reason'], exitCode?: number) =>
    new ProcessError(`${file}: ${describeFailure(why, exitCode, limit)}`, why, exitCode, stderr())

  if (signal?.aborted) throw problem('aborted')
  const child = await startChild([file, ...args], {
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', options.stderr ?? 'pipe'],
    cwd: options.cwd,
    as: options.as
  })
  setOomScore(child.pid!, oomScore.tool)
  const end = (why: ProcessError['reason']) => {
    reason ??= why
    killGroup(child)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const onIdle = () => {
    limit = `made no progress for ${idleTimeoutMs} ms`
    end('timeout')
  }
  const stopWatching = idleTimeoutMs === undefined ? undefined : watchActivity(child.pid!, idleTimeoutMs, onIdle)
  const onAbort = () => end('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort() // aborted while starting
  const tooLong = () => end('output-limit')
  if (child.stderr) stderr = collect(child.stderr, maxOutputBytes, tooLong)
  if (child.stderr && options.onStderrLine) readLines(child.stderr, options.onStderrLine)
  const stdout = options.stdout ? () => '' : collect(child.stdout!, maxOutputBytes, tooLong)
  if (options.stdout) child.stdout!.pipe(options.stdout)
  if (input !== undefined) feed(child, input, () => end('failed'))
  const exitCode = await new Promise<number | undefined>((resolve) =>
    child.once('close', (code) => resolve(code ?? undefined))
  )
  clearTimeout(timer)
  stopWatching?.()
  signal?.removeEventListener('abort', onAbort)
  const isWell = exitCode === 0 || (exitCode !== undefined && options.exitCodes?.includes(exitCode))
  if (reason === undefined && isWell) return { stdout: stdout(), stderr: stderr() }
  end('failed')
  throw problem(reason!, exitCode)
}

function collect(stream: Readable, maxBytes: number, onTooLong: () => void): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) onTooLong()
    else chunks.push(chunk)
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

// Feeds standard input. Programs may stop reading early, but a source that breaks off must not look like the complete
// input.
function feed(child: ChildProcess, input: string | Readable, onBroken: () => void): void {
  const stdin = child.stdin!
  if (typeof input === 'string') {
    stdin.on('error', () => {}) // the program closed its stdin
    stdin.end(input)
    return
  }
  pipeline(input, stdin, (error) => {
    const isOver = child.exitCode !== null || child.signalCode !== null
    if (error && error.code !== 'EPIPE' && !isOver) onBroken()
  })
}

function describeFailure(reason: ProcessError['reason'], exitCode: number | undefined, limit: string): string {
  const sentences = {
    failed: `exited with ${exitCode ?? 'a signal'}`,
    timeout: limit,
    aborted: 'was cancelled',
    missing: 'is not installed',
    'not-started': 'could not be started',
    'output-limit': 'wrote more output than allowed'
  }
  return sentences[reason]
}
